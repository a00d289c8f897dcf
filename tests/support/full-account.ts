import { eventFeedback, feedbackVideo } from '../../contract/events/feedback.ts'
import { getHomeDevices } from '../../contract/cameras/devices.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { createBridgeCode, removeCamera, revokeBridge, shareCamera } from '../../contract/cameras/owner-calls.ts'
import { setCameraListFilter } from '../../contract/cameras/device-models.ts'
import { createPurchase, previewPurchase } from '../../contract/billing/purchase.ts'
import { onboardingRegister, search, searchFeedback } from '../../contract/search/search-calls.ts'
import { exportClips } from '../../contract/events/timeline.ts'
import { storeBridge } from '../../provider/bridge/enroll-bridge.ts'
import { storeEvents } from '../../provider/telemetry/insights/insights-objects.ts'
import { storeVisit } from '../../provider/telemetry/visit-rows.ts'
import { addCard } from './cards.ts'
import { CALL_INPUTS, SEARCH_FEEDBACK, SEARCH_INPUT } from './home-calls.ts'
import {
  createBridgeEvent,
  RECENT_TIME_MS,
  TestBridge,
  type CallResponse,
  type Household,
  type Neighborhood,
} from './home.ts'
import { createStoredEvent } from './measured.ts'
import { hashEmail } from './revenue.ts'
import { openSocket } from './socket.ts'

const assertSuccess = (answer: CallResponse): CallResponse => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** Registers a camera and adds one event with clip, thumbnail and moments, and the camera's last picture. */
export async function addCameraWithEvent({ bridge }: Household, camera: string, event: string): Promise<void> {
  assertSuccess(await bridge.register(camera))
  const clip_object = await bridge.upload(camera, 'clip', event, Buffer.from(`clip of ${event}`))
  const thumb_object = await bridge.upload(camera, 'thumb', event, Buffer.from(`picture of ${event}`))
  await bridge.upload(camera, 'last', camera, Buffer.from(`last of ${camera}`))
  const resource = {
    begin_time: RECENT_TIME_MS,
    end_time: RECENT_TIME_MS + 9,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  const moments = [{ at_s: 0, text: 'A person with three parcels' }]
  const media = { clip_object, thumb_object, event_resources: [resource], moments, title: 'A person at the door' }
  assertSuccess(await bridge.postEvent(createBridgeEvent(camera, event, media)))
}

/**
 * Stores nearly every kind of data for the account of household `a`, in its own home and as a guest of `b`. Uses API
 * calls where possible, and otherwise writes directly to storage. Replaces the account's plan with Camera AI.
 */
export async function fillAccountWithData(neighborhood: Neighborhood): Promise<void> {
  const { a, b } = neighborhood
  const callApi = async (
    ...[call, input, params]: [Parameters<typeof neighborhood.call>[1], object?, Record<string, string>?]
  ) => assertSuccess(await neighborhood.call(a, call, { ...input }, params))
  await neighborhood.bindings.DB.exec("DELETE FROM subscriptions WHERE user_id = 'user_a'")
  await addCameraWithEvent(a, 'door_a', 'event_a')
  await addCameraWithEvent(a, 'yard_a', 'event_yard_a')
  await addCameraWithEvent(b, 'door_b', 'event_b')
  await buyCameraAi(neighborhood)
  await neighborhood.call(b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
  for (const email of ['b@example.com', 'later@example.com'])
    await callApi(shareCamera, { device_id: 'door_a', email, role: 2 })
  await callApi(setCameraListFilter, { filterCamerasMac: ['door_a'] })
  await callApi(onboardingRegister)
  await callApi(search, { ...SEARCH_INPUT, device_macs_to_include: [], query: 'person' })
  await callApi(searchFeedback, { ...SEARCH_FEEDBACK, query: 'person' })
  for (const event of ['event_a', 'event_b']) {
    await callApi(eventFeedback, { feedback: 'wrong' }, { event_id: event })
    await callApi(exportClips, { files: [{ event_id: event, name: 'Door.mp4' }] })
  }
  await callApi(feedbackVideo, CALL_INPUTS['CALL-45']?.input, CALL_INPUTS['CALL-45']?.params)
  const revokedBridge = new TestBridge(neighborhood.stage.env.PROVIDER_ORIGIN, 'old_a')
  await storeBridge(
    neighborhood.bindings,
    revokedBridge.id,
    { key_hash: revokedBridge.keyHash, name: 'Old of a', homes: ['home_a'] },
    Date.now(),
  )
  await neighborhood.bindings.BRIDGES.getByName('old_a').addCamera('attic_a', 'home_b')
  await callApi(revokeBridge, { bridge_id: 'old_a' })
  await callApi(createBridgeCode)
  await callApi(removeCamera, { device_id: 'yard_a' })
  const measured = ['user_a', 'user_b'].map((user, n) => createStoredEvent(n, Date.now(), { user }))
  await storeEvents(neighborhood.bindings, measured, 1, Date.now())
  for (const email of ['a@example.com', 'b@example.com'])
    await storeVisit(neighborhood.bindings, hashEmail(email), Date.now())
  await callApi(getHomeDevices, { device_category: 'camera', env: 'beta', home_id: 'home_a' })
  const { url } = (await callApi(feedTicket)).body.data
  await (await openSocket(url, { headers: { origin: neighborhood.stage.env.PORTAL_ORIGIN } })).close()
  await insertRemainingRows(neighborhood)
}

async function buyCameraAi(neighborhood: Neighborhood): Promise<void> {
  const { a, bindings } = neighborhood
  const { method_id } = await addCard(bindings, a.userId, '4242')
  const target = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 }
  const { quote } = assertSuccess(await neighborhood.call(a, previewPurchase, target)).body.data
  const intent = 'intent_of_full_account'
  const purchase = { ...target, method_id, intent, quote, cameras: ['door_a'] }
  assertSuccess(await neighborhood.call(a, createPurchase, purchase))
}

/** Inserts rows that the product writes only with a real browser, camera or second person. */
async function insertRemainingRows({ bindings: { DB, ACTIVITY, GUARDS } }: Neighborhood): Promise<void> {
  const [at, code] = [Date.now(), "(code, kind, value, emails) VALUES ('MAYA', 'credit', 100, ?)"]
  await DB.batch([
    DB.prepare("INSERT INTO passkeys VALUES ('key_a', 'user_a', 'x', 0, '[]', 'Phone of a', ?, NULL)").bind(at),
    DB.prepare("INSERT INTO second_factors VALUES ('user_a', 'sealed', 0, ?, ?)").bind(at, at),
    DB.prepare("INSERT INTO recovery_codes VALUES ('user_a', 'hash', NULL)"),
    DB.prepare("INSERT INTO demo_shares VALUES ('home_b', 'user_a', 3)"),
    DB.prepare("INSERT INTO invitations VALUES ('door_b', 'a@example.com', 'home_b', 2, ?)").bind(at),
    DB.prepare(`INSERT INTO coupons ${code}`).bind(JSON.stringify(['a@example.com', 'b@example.com'])),
    DB.prepare("INSERT INTO coupon_holds VALUES ('MAYA', 'user_a', 'intent', 'used', NULL)"),
    DB.prepare("INSERT INTO coupon_holds VALUES ('FREE3', 'user_a', 'intent', 'held', ?)").bind(at + 1000),
    DB.prepare("INSERT INTO coupon_holds VALUES ('MAYA', 'user_b', 'intent', 'used', NULL)"),
    DB.prepare(
      "INSERT INTO messages VALUES ('msg_a', 'user_a', 'bill', 'k', ?1, 0, 't', 't', NULL, '{}', 'kept', 0, NULL, ?1, '')",
    ).bind(at),
    DB.prepare("INSERT INTO mail_stops VALUES ('user_a', 'renewal_ahead')"),
    DB.prepare("INSERT INTO sign_ups VALUES ('user_new', 'a@example.com', 'h', 'l', 'b', '/live', ?)").bind(at),
    DB.prepare(
      "INSERT INTO invitation_links VALUES ('user_new', 'a@example.com', 'l', 'user_b', 'door_b', 'home_b', ?)",
    ).bind(at),
    DB.prepare("INSERT INTO password_links VALUES ('link', 'user_a', 'x', ?)").bind(at),
    DB.prepare("INSERT INTO restored_accounts VALUES ('user_a', 'embedded')"),
    DB.prepare("INSERT INTO stripe_sessions VALUES ('cs', 'user_a', 'x', ?)").bind(at),
    DB.prepare("INSERT INTO error_reports VALUES ('f', 1, ?1, ?1, 'x', 'of user_a', 'browser')").bind(at),
  ])
  await ACTIVITY.getByName('user:user_a').add({ kind: 'sign-in', who: 'user_a' }, null, at)
  await ACTIVITY.getByName('home:home_a').add({ kind: 'bridge-added', who: 'user_a' }, null, at)
  const watched = { kind: 'watched', who: 'user_a', camera: 'door_b', same: 'user_a door_b' } as const
  await ACTIVITY.getByName('home:home_b').add(watched, null, at)
  await GUARDS.getByName('factor:user_a').countAttempt('factor', 5, 60_000, at)
}
