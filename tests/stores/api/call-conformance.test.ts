// @vitest-environment jsdom
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activate, batchGetBindings } from '../../../contract/billing/licenses.ts'
import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { cancelSubscription, reactivate, servicesExtension } from '../../../contract/billing/cancellation.ts'
import { type Call, fillPath } from '../../../contract/wire/call.ts'
import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import {
  getEvent,
  getEventTags,
  replayArchive,
  replayLive,
  retentionPolicy,
} from '../../../contract/events/event-calls.ts'
import { type Event, eventHistory, getEventList } from '../../../contract/events/events.ts'
import { collections, people } from '../../../contract/events/faces.ts'
import { eventFeedback, feedbackVideo } from '../../../contract/events/feedback.ts'
import { getStreams, runAction, sendCommand, setResolution } from '../../../contract/live/live-calls.ts'
import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import {
  confAndSetting,
  deviceModels,
  setCameraListFilter,
  supportDevices,
} from '../../../contract/cameras/device-models.ts'
import { createPurchase, previewPurchase, processTask, updatePurchase } from '../../../contract/billing/purchase.ts'
import { processRedeem, redeem } from '../../../contract/billing/coupons.ts'
import * as search from '../../../contract/search/search-calls.ts'
import { configureClient } from '../../../src/api/api-client.ts'
import { fetchCurrentUser } from '../../../src/api/current-user.ts'
import { bindDevices } from '../../../src/stores/billing/license-cart.ts'
import { openCover } from '../../../src/stores/billing/license-manager.ts'
import { cancelPlan, loadExtension, undoCancel } from '../../../src/stores/billing/cancellation.ts'
import { loadBindings } from '../../../src/stores/billing/license-assignments.ts'
import { loadSubscriptions } from '../../../src/stores/billing/subscriptions.ts'
import { coverCamera } from '../../../src/stores/billing/purchase-confirmation.ts'
import { loadBills } from '../../../src/stores/billing/invoices.ts'
import { loadPaymentMethods } from '../../../src/stores/billing/payment-methods.ts'
import { pay } from '../../../src/stores/billing/submit-purchase.ts'
import { loadQuote } from '../../../src/stores/billing/price-quote.ts'
import { $redeem, checkCoupon, redeemSelectedCoupon, typeCode } from '../../../src/stores/billing/coupon-redemption.ts'
import { $clip, syncOpenEvent } from '../../../src/stores/events/open-clip.ts'
import { syncWithUrl, openSearch } from '../../../src/stores/events/event-url.ts'
import { loadEventTags } from '../../../src/stores/events/event-tags.ts'
import { reloadEvents } from '../../../src/stores/events/events.ts'
import { loadFaces } from '../../../src/stores/events/known-people.ts'
import { sendEventVerdict, sendVideo } from '../../../src/stores/events/event-feedback.ts'
import { loadRetention } from '../../../src/stores/events/retention.ts'
import { $devices, $homeId, $isFreeView, loadDevices, toDevice } from '../../../src/stores/home/devices.ts'
import { loadCameraFilter, saveCameraFilter } from '../../../src/stores/live/camera-filter.ts'
import { loadSupported } from '../../../src/stores/live/camera-models.ts'
import { chooseRendition } from '../../../src/stores/live/camera-settings.ts'
import { acquireStream } from '../../../src/stores/live/stream-tickets.ts'
import { swapPictures } from '../../../src/stores/live/swap-lenses.ts'
import { wakeUp } from '../../../src/stores/live/wake-camera.ts'
import { submitQuery } from '../../../src/stores/search/search-url.ts'
import { giveFeedback, loadCategories } from '../../../src/stores/search/search-feedback.ts'
import { clearHistory, deleteSearches, loadHistory } from '../../../src/stores/search/search-history.ts'
import { enrollInSearch, loadOnboarding } from '../../../src/stores/account/search-enrollment.ts'
import { claimPopup } from '../../../src/stores/search/search-popups.ts'
import { loadRecommendations } from '../../../src/stores/search/search-suggestions.ts'
import { syncSearchWithUrl } from '../../../src/stores/search/search.ts'
import { $userId, $videoSearchSwitch } from '../../../src/stores/session/session.ts'
import { pollTask, changePlan, choosePlan } from '../../support/asked-purchases.ts'
import { patience } from '../../support/patience.ts'

const NOW = Date.now()
const resource = { begin_time: NOW - 9000, end_time: NOW, resource_version: 1, resource_type: 's3' as const }
const event: Event = {
  ...{ event_id: 'e1', device_id: 'CAM1', event_ts: NOW - 9000, tags: ['4'], event_values: [], title: 'Motion' },
  ...{ event_resources: [resource], reviewed: true },
}
const camera = { device_id: 'CAM1', device_model: 'PL-CAM-V1', nickname: 'Hall', device_order: 0, role: 1 }

interface Sent {
  readonly method: string
  readonly path: string
  readonly input: unknown
}

/** Records every request; answers only the calls named in `answers`. */
function listen(answers: ReadonlyMap<Call, unknown> = new Map()): Sent[] {
  const sent: Sent[] = []
  configureClient({
    fetch: (address, init) => {
      const { pathname, searchParams } = new URL(String(address), location.origin)
      const { method = 'GET', body } = init ?? {}
      const input: unknown = typeof body === 'string' ? JSON.parse(body) : Object.fromEntries(searchParams)
      sent.push({ method, path: pathname, input })
      const [call, data] =
        [...answers].find(([candidate]) => pathname === `/api/p/${candidate.group}${candidate.path}`) ?? []
      return call ? Promise.resolve(Response.json({ code: call.success, data })) : Promise.reject(new TypeError('none'))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    signedOut: () => undefined,
  })
  return sent
}

/** Waits until the call was sent. Asserts that its input matches the contract, except for fields that the edge adds. */
async function expectSent(sent: readonly Sent[], call: Call, params: Record<string, string> = {}): Promise<unknown> {
  const path = `/api/p/${call.group}${fillPath(call.path, params)}`
  const found = await vi.waitFor(() => {
    const request = sent.find((each) => each.path === path && each.method === call.method)
    if (!request) throw new Error(`${call.method} ${path} was not sent.`)
    return request
  }, patience)
  if (!call.request) throw new Error(`${call.ledger} is not served.`)
  expect(v.safeParse(call.request, found.input).issues).toBeUndefined()
  return found.input
}

beforeEach(() => {
  history.replaceState(null, '', '/events')
  $userId.set('user_1')
  $homeId.set('home_1')
  $isFreeView.set(false)
  $devices.set({ state: 'ready', devices: [toDevice({ ...camera, device_category: 'camera' })] })
})

type Row = readonly [id: string, call: Call, act: () => unknown, params?: Record<string, string>]

let opened = Promise.resolve()
afterAll(() => opened)
/**
 * Opens the clip at `address` and waits until the page has requested it. Calls run one after the other, because tests
 * do not await them, and pending work of an earlier test could open another URL.
 */
const openClip = (address: string): Promise<void> => (opened = opened.then(() => openNow(address)))

async function openNow(address: string): Promise<void> {
  const goThere = () => {
    history.replaceState(null, '', address)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  goThere()
  const stops = [syncWithUrl(), syncOpenEvent()]
  await vi.waitFor(() => {
    if ($clip.get().state === 'none') goThere()
    expect($clip.get().state).toMatch(/missing|failed/)
  }, patience)
  stops.forEach((stop) => stop())
}

function redeemCoupon() {
  typeCode('PORCH-GIFT')
  $redeem.setKey('seletedOption', { option_id: 'o1', kind: 'credit', sku: null, value: 2000, changes: [] })
  return redeemSelectedCoupon()
}

const SUB = { subscription_id: 's1', revision: 1, billing_provider: 'card' }

const ROWS: readonly Row[] = [
  ['CALL-04', redeem, () => (typeCode('PORCH-GIFT'), checkCoupon())],
  ['CALL-05', processRedeem, redeemCoupon],
  ['CALL-06', activate, () => coverCamera('sub_1', 'CAM1')],
  ['CALL-06', activate, () => bindDevices('sub_1', ['CAM1'], NOW)],
  ['CALL-11', billingInfo, loadPaymentMethods, { billing_provider: 'recurring' }],
  ['CALL-11 bills', billingInfo, loadBills, { billing_provider: 'recurring' }],
  ['CALL-10', processTask, pollTask],
  ['CALL-12', previewPurchase, () => (choosePlan(), loadQuote())],
  ['CALL-13', createPurchase, () => (choosePlan(), pay())],
  ['CALL-14', updatePurchase, () => (changePlan(), pay())],
  ['CALL-07', reactivate, () => undoCancel(SUB), { billing_provider: 'card' }],
  ['CALL-09', cancelSubscription, () => cancelPlan(SUB, 'end', null), { billing_provider: 'card' }],
  ['CALL-15', servicesExtension, loadExtension],
  ['CALL-08', getSubscriptions, loadSubscriptions, { uuid: 'user_1' }],
  ['CALL-24', getEvent, () => openClip('/events?event=e1&camera=CAM1')],
  ['CALL-27', getHomes, loadDevices],
  ['CALL-28', getHomeDevices, loadDevices],
  ['CALL-29', batchGetBindings, () => loadBindings(['CAM1'])],
  ['CALL-29', batchGetBindings, () => openCover('?plan=sub_1')],
  ['CALL-30', getStreams, () => void acquireStream('CAM1')],
  ['CALL-31', runAction, () => wakeUp('CAM1')],
  ['CALL-32', confAndSetting, loadCameraFilter],
  ['CALL-33', setCameraListFilter, () => saveCameraFilter(['CAM1'])],
  ['CALL-34', supportDevices, loadSupported],
  ['CALL-35', deviceModels, loadSupported],
  ['CALL-36', getEventTags, loadEventTags],
  ['CALL-37', eventHistory, reloadEvents],
  ['CALL-40', retentionPolicy, loadRetention],
  ['CALL-41', setResolution, () => chooseRendition('CAM1', '720')],
  ['CALL-42', sendCommand, () => swapPictures('CAM1')],
  ['CALL-44', eventFeedback, () => sendEventVerdict(event, 'right'), { event_id: 'e1' }],
  ['CALL-45', feedbackVideo, () => sendVideo(event, ['101'], 'submit'), { deviceMac: 'CAM1', eventId: 'e1' }],
  ['CALL-47', search.searchHistory, loadHistory],
  ['CALL-48', search.deleteSearchHistory, clearHistory],
  ['CALL-49', search.deleteSearchHistoryEntry, () => deleteSearches(['q1']), { query_id: 'q1' }],
  ['CALL-50', search.recommendation, loadRecommendations],
  ['CALL-51', search.onboardingRegister, enrollInSearch],
  ['CALL-52', search.onboardingStatus, () => loadOnboarding(true)],
  ['CALL-53', search.getInstructionState, () => claimPopup('search')],
  ['CALL-55', search.feedbackCategory, loadCategories],
  ['CALL-56', search.searchFeedback, () => giveFeedback('a dog', { categoryId: 'c1', message: 'no dog' })],
  ['CALL-57', collections, loadFaces],
]

describe('page calls with the input that the contract requires', () => {
  for (const [id, call, act, params] of ROWS)
    test(id, async () => {
      const sent = listen()
      void act()
      await expectSent(sent, call, params)
    })

  test('CALL-17 every protected page requests the current user from the edge', async () => {
    const requestedUrls: unknown[] = []
    const me = { code: 200, user_account: 'mia@example.com', user_id: 'user_1', web_app_token: 'handle' }
    const answer = await fetchCurrentUser(
      (address) => (requestedUrls.push(address), Promise.resolve(Response.json(me))),
    )
    expect([requestedUrls, answer]).toEqual([['/api/auth/me'], { who: 'user', me }])
  })

  test('CALL-38 the free view requests the event list', async () => {
    $isFreeView.set(true)
    const sent = listen()
    reloadEvents()
    expect(await expectSent(sent, getEventList)).toMatchObject({ count: 10_000, order_by: 2 })
    expect(sent.map(({ path }) => path)).not.toContain(`/api/p/${eventHistory.group}${eventHistory.path}`)
  })

  test('CALL-26 CALL-25 a clip is requested from the archive, and an uploading clip from the live replay', async () => {
    const sent = listen(new Map<Call, unknown>([[getEvent, event]]))
    await openClip('/events?event=e1&camera=CAM1')
    expect(await expectSent(sent, replayArchive)).toMatchObject({ device_id: 'CAM1', is_live: 'false' })
    const open = listen(
      new Map<Call, unknown>([[getEvent, { ...event, event_resources: [], clip_state: 'uploading' }]]),
    )
    await openClip('/events?event=e1&camera=CAM1')
    expect(await expectSent(open, replayLive)).toMatchObject({ device_id: 'CAM1', is_live: 'true' })
  })

  test('CALL-46 the search sends the query of the URL', async () => {
    const sent = listen()
    $videoSearchSwitch.set(true)
    const stops = [syncWithUrl(), syncSearchWithUrl()]
    openSearch()
    submitQuery('a dog')
    expect(await expectSent(sent, search.search)).toMatchObject({ query: 'a dog', limit: 50 })
    stops.forEach((stop) => stop())
  })

  test('CALL-54 a shown popup is reported to the account', async () => {
    const sent = listen(new Map<Call, unknown>([[search.getInstructionState, { state: 0 }]]))
    expect(await claimPopup('prompt')).toBe(true)
    expect(await expectSent(sent, search.setInstructionState)).toEqual({ state: 2 })
  })

  test('CALL-58 the people of every collection are requested', async () => {
    const response = { collections: [{ collection_id: 'col1', name: 'Home' }] }
    const sent = listen(new Map<Call, unknown>([[collections, response]]))
    void loadFaces()
    await expectSent(sent, people, { collection_id: 'col1' })
  })
})
