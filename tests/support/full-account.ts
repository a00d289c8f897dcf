import { eventFeedback, feedbackVideo } from '../../contract/events/feedback.ts'
import { getHomeDevices } from '../../contract/cameras/devices.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { makeBridgeCode, removeCamera, revokeBridge, shareCamera } from '../../contract/cameras/owner-calls.ts'
import { setCameraListFilter } from '../../contract/cameras/device-models.ts'
import { createPurchase, previewPurchase } from '../../contract/billing/purchase.ts'
import { onboardingRegister, search, searchFeedback } from '../../contract/search/search-calls.ts'
import { exportClips } from '../../contract/events/timeline.ts'
import { storeBridge } from '../../provider/bridge/enroll-bridge.ts'
import { storeVisit } from '../../provider/telemetry/visit-rows.ts'
import { addCard } from './cards.ts'
import { INPUTS, judged, searched } from './home-calls.ts'
import { makeEvent, RECENT, TestBridge, type Answer, type Household, type Neighborhood } from './home.ts'
import { keptEvent } from './measured.ts'
import { hashEmail } from './revenue.ts'
import { openSocket } from './socket.ts'

const must = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** Registers a camera and adds one event with clip, thumbnail and moments, and the camera's last picture. */
export async function film({ bridge }: Household, camera: string, event: string): Promise<void> {
  must(await bridge.register(camera))
  const clip_object = await bridge.upload(camera, 'clip', event, Buffer.from(`clip of ${event}`))
  const thumb_object = await bridge.upload(camera, 'thumb', event, Buffer.from(`picture of ${event}`))
  await bridge.upload(camera, 'last', camera, Buffer.from(`last of ${camera}`))
  const resource = { begin_time: RECENT, end_time: RECENT + 9, resource_version: 1, resource_type: 's3' as const }
  const moments = [{ at_s: 0, text: 'A person with three parcels' }]
  const media = { clip_object, thumb_object, event_resources: [resource], moments, title: 'A person at the door' }
  must(await bridge.post(makeEvent(camera, event, media)))
}

/** Performs every kind of action as household `a`, in its own home and as a guest of `b`. */
export async function fillAccount(town: Neighborhood): Promise<void> {
  const { a, b } = town
  const callApi = async (
    ...[call, input, params]: [Parameters<typeof town.call>[1], object?, Record<string, string>?]
  ) => must(await town.call(a, call, { ...input }, params))
  await town.bindings.DB.exec("DELETE FROM subscriptions WHERE user_id = 'user_a'")
  await film(a, 'door_a', 'event_a')
  await film(a, 'yard_a', 'event_yard_a')
  await film(b, 'door_b', 'event_b')
  await buy(town)
  await town.call(b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
  for (const email of ['b@example.com', 'later@example.com'])
    await callApi(shareCamera, { device_id: 'door_a', email, role: 2 })
  await callApi(setCameraListFilter, { filterCamerasMac: ['door_a'] })
  await callApi(onboardingRegister)
  await callApi(search, { ...searched, device_macs_to_include: [], query: 'person' })
  await callApi(searchFeedback, { ...judged, query: 'person' })
  for (const event of ['event_a', 'event_b']) {
    await callApi(eventFeedback, { feedback: 'wrong' }, { event_id: event })
    await callApi(exportClips, { files: [{ event_id: event, name: 'Door.mp4' }] })
  }
  await callApi(feedbackVideo, INPUTS['CALL-45']?.input, INPUTS['CALL-45']?.params)
  const old = new TestBridge(town.stage.env.PROVIDER_ORIGIN, 'old_a')
  await storeBridge(town.bindings, old.id, { key_hash: old.keyHash, name: 'Old of a', homes: ['home_a'] }, Date.now())
  await town.bindings.BRIDGES.getByName('old_a').addCamera('attic_a', 'home_b')
  await callApi(revokeBridge, { bridge_id: 'old_a' })
  await callApi(makeBridgeCode)
  await callApi(removeCamera, { device_id: 'yard_a' })
  const measured = ['user_a', 'user_b'].map((user, n) => keptEvent(n, Date.now(), { user }))
  await town.bindings.INSIGHTS.getByName('all').storeEvents(measured, Date.now())
  for (const email of ['a@example.com', 'b@example.com']) await storeVisit(town.bindings, hashEmail(email), Date.now())
  await callApi(getHomeDevices, { device_category: 'camera', env: 'beta', home_id: 'home_a' })
  const { url } = (await callApi(feedTicket)).body.data
  await (await openSocket(url, { headers: { origin: town.stage.env.PORTAL_ORIGIN } })).close()
  await addRows(town)
}

async function buy(town: Neighborhood): Promise<void> {
  const { a, bindings } = town
  const { method_id } = await addCard(bindings, a.userId, '4242')
  const target = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 }
  const { quote } = must(await town.call(a, previewPurchase, target)).body.data
  const intent = 'intent_of_full_account'
  const purchase = { ...target, method_id, intent, quote, cameras: ['door_a'] }
  must(await town.call(a, createPurchase, purchase))
}

/** Inserts the rows that the product writes only with a real browser, camera or second person. */
async function addRows({ bindings: { DB, ACTIVITY, GUARDS } }: Neighborhood): Promise<void> {
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
    DB.prepare("INSERT INTO password_links VALUES ('link', 'user_a', 'x', ?)").bind(at),
    DB.prepare("INSERT INTO stripe_sessions VALUES ('cs', 'user_a', 'x', ?)").bind(at),
    DB.prepare("INSERT INTO error_reports VALUES ('f', 1, ?1, ?1, 'x', 'of user_a', 'browser')").bind(at),
  ])
  await ACTIVITY.getByName('user:user_a').add({ kind: 'sign-in', who: 'user_a' }, null, at)
  await ACTIVITY.getByName('home:home_a').add({ kind: 'bridge-added', who: 'user_a' }, null, at)
  const watched = { kind: 'watched', who: 'user_a', camera: 'door_b', same: 'user_a door_b' } as const
  await ACTIVITY.getByName('home:home_b').add(watched, null, at)
  await GUARDS.getByName('factor:user_a').attempt('factor', 5, 60_000, at)
}
