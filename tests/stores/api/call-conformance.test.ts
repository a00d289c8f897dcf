// @vitest-environment jsdom
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activateLicenses, batchGetBindings } from '../../../contract/billing/licenses.ts'
import { getBillingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import {
  cancelSubscription,
  reactivateSubscription,
  getTrialExtensions,
} from '../../../contract/billing/cancellation.ts'
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
import { listFaceCollections, listCollectionPeople } from '../../../contract/events/faces.ts'
import { eventFeedback, feedbackVideo } from '../../../contract/events/feedback.ts'
import { runAction, setResolution, sendCommand } from '../../../contract/live/camera-control-calls.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import {
  getConfAndSetting,
  getDeviceModels,
  setCameraListFilter,
  getSupportedDevices,
} from '../../../contract/cameras/device-models.ts'
import { createPurchase, previewPurchase, getPurchaseTask, updatePurchase } from '../../../contract/billing/purchase.ts'
import { applyCoupon, validateCoupon } from '../../../contract/billing/coupons.ts'
import * as search from '../../../contract/search/search-calls.ts'
import { configureClient } from '../../../src/api/api-client.ts'
import { fetchCurrentUser } from '../../../src/api/current-user.ts'
import { assignLicenses } from '../../../src/stores/billing/license-cart.ts'
import { openLicenseManager } from '../../../src/stores/billing/license-manager.ts'
import { cancelPlan, loadTrialExtension, undoCancellation } from '../../../src/stores/billing/cancellation.ts'
import { loadLicenseAssignments } from '../../../src/stores/billing/license-assignments.ts'
import { loadSubscriptions } from '../../../src/stores/billing/subscriptions.ts'
import { assignLicenseToCamera } from '../../../src/stores/billing/purchase-confirmation.ts'
import { loadInvoices } from '../../../src/stores/billing/invoices.ts'
import { loadPaymentMethods } from '../../../src/stores/billing/payment-methods.ts'
import { submitPurchase } from '../../../src/stores/billing/submit-purchase.ts'
import { loadQuote } from '../../../src/stores/billing/price-quote.ts'
import {
  $redeem,
  checkCoupon,
  redeemSelectedCoupon,
  setTypedCode,
} from '../../../src/stores/billing/coupon-redemption.ts'
import { $clip, syncOpenEvent } from '../../../src/stores/events/open-clip.ts'
import { syncEventUrl, openSearch } from '../../../src/stores/events/event-url.ts'
import { loadEventTags } from '../../../src/stores/events/event-tags.ts'
import { reloadEvents } from '../../../src/stores/events/events.ts'
import { loadKnownPeople } from '../../../src/stores/events/known-people.ts'
import { sendEventVerdict, sendFeedbackClip } from '../../../src/stores/events/event-feedback.ts'
import { loadRetention } from '../../../src/stores/events/retention.ts'
import { $devices, $homeId, $isFreeView, loadDevices, toDevice } from '../../../src/stores/home/devices.ts'
import { loadCameraFilter, saveCameraFilter } from '../../../src/stores/live/camera-filter.ts'
import { loadSupportedModels } from '../../../src/stores/live/camera-models.ts'
import { setRenditionForAll } from '../../../src/stores/live/camera-settings.ts'
import { acquireStream } from '../../../src/stores/live/stream-tickets.ts'
import { swapLenses } from '../../../src/stores/live/swap-lenses.ts'
import { wakeBatteryCamera } from '../../../src/stores/live/wake-camera.ts'
import { submitQuery } from '../../../src/stores/search/search-url.ts'
import { sendSearchFeedback, loadFeedbackCategories } from '../../../src/stores/search/search-feedback.ts'
import { clearSearchHistory, deleteSearches, loadSearchHistory } from '../../../src/stores/search/search-history.ts'
import { enrollInSearch, loadEnrollment } from '../../../src/stores/account/search-enrollment.ts'
import { claimSearchPopup } from '../../../src/stores/search/search-popups.ts'
import { loadRecommendations } from '../../../src/stores/search/search-suggestions.ts'
import { syncSearchWithUrl } from '../../../src/stores/search/search.ts'
import { $userId, $videoSearchSwitch } from '../../../src/stores/session/session.ts'
import { pollPurchaseTask, preparePlanChange, preparePurchase } from '../../support/purchase-store-calls.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const NOW = Date.now()
const clipResource = { begin_time: NOW - 9000, end_time: NOW, resource_version: 1, resource_type: 's3' as const }
const clipEvent: Event = {
  event_id: 'e1',
  device_id: 'CAM1',
  event_ts: NOW - 9000,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [clipResource],
  reviewed: true,
}
const camera = { device_id: 'CAM1', device_model: 'PL-CAM-V1', nickname: 'Hall', device_order: 0, role: 1 }

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly input: unknown
}

/** Records every request. Responds only to the calls in `answers`; other requests fail. */
function recordRequests(answers: ReadonlyMap<Call, unknown> = new Map()): SentRequest[] {
  const sent: SentRequest[] = []
  configureClient({
    fetch: (url, init) => {
      const { pathname, searchParams } = new URL(String(url), location.origin)
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
    onSignedOut: () => undefined,
  })
  return sent
}

/** Waits until the call was sent. Asserts that its input matches the request schema, and returns the input. */
async function expectSent(
  sent: readonly SentRequest[],
  call: Call,
  params: Record<string, string> = {},
): Promise<unknown> {
  const path = `/api/p/${call.group}${fillPath(call.path, params)}`
  const found = await vi.waitFor(() => {
    const request = sent.find((each) => each.path === path && each.method === call.method)
    if (!request) throw new Error(`${call.method} ${path} was not sent.`)
    return request
  }, WAIT_OPTIONS)
  if (!call.request) throw new Error(`${call.ledger} has no request schema.`)
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

type CallRow = readonly [id: string, call: Call, act: () => unknown, params?: Record<string, string>]

let lastOpening = Promise.resolve()
afterAll(() => lastOpening)
/**
 * Opens the clip at the URL `address`, and waits until the page reports the clip as missing or failed. Only one clip
 * opens at a time, because pending work of an earlier test could otherwise change the URL.
 */
const openClip = (address: string): Promise<void> => (lastOpening = lastOpening.then(() => openClipNow(address)))

async function openClipNow(address: string): Promise<void> {
  const navigate = () => {
    history.replaceState(null, '', address)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  navigate()
  const stops = [syncEventUrl(), syncOpenEvent()]
  await vi.waitFor(() => {
    if ($clip.get().state === 'none') navigate()
    const clip = $clip.get()
    expect('failure' in clip ? 'failed' : clip.state).toMatch(/missing|failed/)
  }, WAIT_OPTIONS)
  stops.forEach((stop) => stop())
}

function redeemCoupon() {
  setTypedCode('PORCH-GIFT')
  $redeem.setKey('seletedOption', { option_id: 'o1', kind: 'credit', sku: null, value: 2000, changes: [] })
  return redeemSelectedCoupon()
}

const SUBSCRIPTION = { subscription_id: 's1', revision: 1, billing_provider: 'card' }

const CALL_ROWS: readonly CallRow[] = [
  ['CALL-04', validateCoupon, () => (setTypedCode('PORCH-GIFT'), checkCoupon())],
  ['CALL-05', applyCoupon, redeemCoupon],
  ['CALL-06', activateLicenses, () => assignLicenseToCamera('sub_1', 'CAM1')],
  ['CALL-06', activateLicenses, () => assignLicenses('sub_1', ['CAM1'], NOW)],
  ['CALL-11', getBillingInfo, loadPaymentMethods, { billing_provider: 'recurring' }],
  ['CALL-11 bills', getBillingInfo, loadInvoices, { billing_provider: 'recurring' }],
  ['CALL-10', getPurchaseTask, pollPurchaseTask],
  ['CALL-12', previewPurchase, () => (preparePurchase(), loadQuote())],
  ['CALL-13', createPurchase, () => (preparePurchase(), submitPurchase())],
  ['CALL-14', updatePurchase, () => (preparePlanChange(), submitPurchase())],
  ['CALL-07', reactivateSubscription, () => undoCancellation(SUBSCRIPTION), { billing_provider: 'card' }],
  ['CALL-09', cancelSubscription, () => cancelPlan(SUBSCRIPTION, 'end', null), { billing_provider: 'card' }],
  ['CALL-15', getTrialExtensions, loadTrialExtension],
  ['CALL-08', getSubscriptions, loadSubscriptions, { uuid: 'user_1' }],
  ['CALL-24', getEvent, () => openClip('/events?event=e1&camera=CAM1')],
  ['CALL-27', getHomes, loadDevices],
  ['CALL-28', getHomeDevices, loadDevices],
  ['CALL-29', batchGetBindings, () => loadLicenseAssignments(['CAM1'])],
  ['CALL-29', batchGetBindings, () => openLicenseManager('?plan=sub_1')],
  ['CALL-30', getStreams, () => void acquireStream('CAM1')],
  ['CALL-31', runAction, () => wakeBatteryCamera('CAM1')],
  ['CALL-32', getConfAndSetting, loadCameraFilter],
  ['CALL-33', setCameraListFilter, () => saveCameraFilter(['CAM1'])],
  ['CALL-34', getSupportedDevices, loadSupportedModels],
  ['CALL-35', getDeviceModels, loadSupportedModels],
  ['CALL-36', getEventTags, loadEventTags],
  ['CALL-37', eventHistory, reloadEvents],
  ['CALL-40', retentionPolicy, loadRetention],
  ['CALL-41', setResolution, () => setRenditionForAll('CAM1', '720')],
  ['CALL-42', sendCommand, () => swapLenses('CAM1')],
  ['CALL-44', eventFeedback, () => sendEventVerdict(clipEvent, 'right'), { event_id: 'e1' }],
  [
    'CALL-45',
    feedbackVideo,
    () => sendFeedbackClip(clipEvent, ['101'], 'submit'),
    { deviceMac: 'CAM1', eventId: 'e1' },
  ],
  ['CALL-47', search.searchHistory, loadSearchHistory],
  ['CALL-48', search.deleteSearchHistory, clearSearchHistory],
  ['CALL-49', search.deleteSearchHistoryEntry, () => deleteSearches(['q1']), { query_id: 'q1' }],
  ['CALL-50', search.recommendation, loadRecommendations],
  ['CALL-51', search.onboardingRegister, enrollInSearch],
  ['CALL-52', search.onboardingStatus, () => loadEnrollment(true)],
  ['CALL-53', search.getInstructionState, () => claimSearchPopup('search')],
  ['CALL-55', search.feedbackCategory, loadFeedbackCategories],
  ['CALL-56', search.searchFeedback, () => sendSearchFeedback('a dog', { categoryId: 'c1', message: 'no dog' })],
  ['CALL-57', listFaceCollections, loadKnownPeople],
]

describe('page calls with the input that the contract requires', () => {
  for (const [id, call, act, params] of CALL_ROWS)
    test(id, async () => {
      const sent = recordRequests()
      void act()
      await expectSent(sent, call, params)
    })

  test('CALL-17 every protected page requests the current user from the edge', async () => {
    const requestedUrls: unknown[] = []
    const me = { code: 200, user_account: 'mia@example.com', user_id: 'user_1', web_app_token: 'handle' }
    const answer = await fetchCurrentUser((url) => (requestedUrls.push(url), Promise.resolve(Response.json(me))))
    expect([requestedUrls, answer]).toEqual([['/api/auth/me'], { who: 'user', me }])
  })

  test('CALL-38 the free view requests the event list', async () => {
    $isFreeView.set(true)
    const sent = recordRequests()
    reloadEvents()
    expect(await expectSent(sent, getEventList)).toMatchObject({ count: 10_000, order_by: 2 })
    expect(sent.map(({ path }) => path)).not.toContain(`/api/p/${eventHistory.group}${eventHistory.path}`)
  })

  test('CALL-26 CALL-25 a clip is requested from the archive, and an uploading clip from the live replay', async () => {
    const sent = recordRequests(new Map<Call, unknown>([[getEvent, clipEvent]]))
    await openClip('/events?event=e1&camera=CAM1')
    expect(await expectSent(sent, replayArchive)).toMatchObject({ device_id: 'CAM1', is_live: 'false' })
    const open = recordRequests(
      new Map<Call, unknown>([[getEvent, { ...clipEvent, event_resources: [], clip_state: 'uploading' }]]),
    )
    await openClip('/events?event=e1&camera=CAM1')
    expect(await expectSent(open, replayLive)).toMatchObject({ device_id: 'CAM1', is_live: 'true' })
  })

  test('CALL-46 the search sends the query of the URL', async () => {
    const sent = recordRequests()
    $videoSearchSwitch.set(true)
    const stops = [syncEventUrl(), syncSearchWithUrl()]
    openSearch()
    submitQuery('a dog')
    expect(await expectSent(sent, search.search)).toMatchObject({ query: 'a dog', limit: 50 })
    stops.forEach((stop) => stop())
  })

  test('CALL-54 a shown popup is reported to the account', async () => {
    const sent = recordRequests(new Map<Call, unknown>([[search.getInstructionState, { state: 0 }]]))
    expect(await claimSearchPopup('prompt')).toBe(true)
    expect(await expectSent(sent, search.setInstructionState)).toEqual({ state: 2 })
  })

  test('CALL-58 the people of every collection are requested', async () => {
    const response = { collections: [{ collection_id: 'col1', name: 'Home' }] }
    const sent = recordRequests(new Map<Call, unknown>([[listFaceCollections, response]]))
    void loadKnownPeople()
    await expectSent(sent, listCollectionPeople, { collection_id: 'col1' })
  })
})
