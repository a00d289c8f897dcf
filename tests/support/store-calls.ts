import { vi } from 'vitest'
import type { Event } from '../../contract/events/events.ts'
import { $address } from '../../src/stores/events/event-url.ts'
import { watchAnomalies } from '../../src/stores/events/anomalies.ts'
import { $inView } from '../../src/stores/events/visible-events.ts'
import { $clip, syncOpenEvent } from '../../src/stores/events/open-clip.ts'
import { deleteSelected, markSelected, undoDelete } from '../../src/stores/events/event-deletion.ts'
import { exportSelected } from '../../src/stores/events/event-export.ts'
import { $deleted } from '../../src/stores/events/event-selection.ts'
import { loadEventTags } from '../../src/stores/events/event-tags.ts'
import { $events, reloadEvents, markEventReviewed } from '../../src/stores/events/events.ts'
import { loadFaces } from '../../src/stores/events/known-people.ts'
import { sendEventVerdict, sendVideo } from '../../src/stores/events/event-feedback.ts'
import { loadRetention } from '../../src/stores/events/retention.ts'
import { $timeline, reloadTimeline } from '../../src/stores/events/timeline.ts'
import { $activity, loadActivity } from '../../src/stores/account/activity.ts'
import { $bindings, loadBindings } from '../../src/stores/billing/license-assignments.ts'
import { $subscriptions, loadSubscriptions } from '../../src/stores/billing/subscriptions.ts'
import { $isFreeView, findHome, fetchDevices } from '../../src/stores/home/devices.ts'
import { openFeed } from '../../src/stores/home/feed.ts'
import { loadCameraFilter, saveCameraFilter } from '../../src/stores/live/camera-filter.ts'
import { loadModels, loadSupported } from '../../src/stores/live/camera-models.ts'
import { loadSavedLayouts, saveLayout } from '../../src/stores/live/saved-layouts.ts'
import { placeCamera } from '../../src/stores/live/camera-order.ts'
import {
  fetchBridgeName,
  chooseRendition,
  removeOwnCamera,
  rename,
  switchPower,
} from '../../src/stores/live/camera-settings.ts'
import { $shares, loadShares, addCameraShare, removeCameraShare } from '../../src/stores/live/camera-shares.ts'
import { $liveCameras } from '../../src/stores/live/live-page.ts'
import { fetchSnapshot } from '../../src/stores/live/request-snapshot.ts'
import { acquireStream } from '../../src/stores/live/stream-tickets.ts'
import { swapPictures } from '../../src/stores/live/swap-lenses.ts'
import { wakeUp } from '../../src/stores/live/wake-camera.ts'
import { $search, retrySearch, syncSearchWithUrl } from '../../src/stores/search/search.ts'
import { giveFeedback, loadCategories, $given, undoFeedback } from '../../src/stores/search/search-feedback.ts'
import {
  $historyState,
  $videoSearchHistory,
  clearHistory,
  deleteSearches,
  loadHistory,
} from '../../src/stores/search/search-history.ts'
import { $onboardingTrouble, enrollInSearch, loadOnboarding } from '../../src/stores/account/search-enrollment.ts'
import { claimPopup } from '../../src/stores/search/search-popups.ts'
import { loadRecommendations } from '../../src/stores/search/search-suggestions.ts'
import { $videoSearchSwitch } from '../../src/stores/session/session.ts'
import { failureText } from '../../src/stores/shell/failure-text.ts'
import { ADDING_PANELS } from './asked-adding.ts'
import { MONEY_ACTIONS, MONEY_PANELS } from './asked-money.ts'
import { SETTINGS_ACTIONS, SETTINGS_PANELS } from './asked-settings.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

export const EVENT: Event = {
  ...{ event_id: 'e1', device_id: 'a', event_ts: Date.now(), tags: ['4'], event_values: [], title: 'Motion' },
  event_resources: [{ begin_time: 1, end_time: 2, resource_version: 1, resource_type: 's3' }],
  reviewed: false,
}
const entry = (query_id: string) => ({ query_id, query: query_id, at: 1, found: 1 })
const text = (failure: unknown) => (failure as { text?: string } | null)?.text

/** Opens the clip that a URL names, and closes it once it has loaded or failed. */
async function openClip(eventId: string, deviceId = 'a'): Promise<unknown> {
  $address.set({ ...$address.get(), open: { eventId, deviceId } })
  const stop = syncOpenEvent()
  const clip = await new Promise<ReturnType<typeof $clip.get>>((resolve) => {
    const end = $clip.listen((now) => now.state !== 'loading' && now.state !== 'none' && resolve(now))
    setTimeout(end, 5000)
  })
  stop()
  $address.set({ ...$address.get(), open: null })
  return clip
}

/** Longer than cards must stay in view before the store requests their anomalies, ms. */
const IN_VIEW_MS = 1000

async function loadAnomalies(): Promise<void> {
  vi.useFakeTimers()
  $inView.set(['e1'])
  const stop = watchAnomalies()
  await vi.advanceTimersByTimeAsync(IN_VIEW_MS)
  stop()
  vi.useRealTimers()
}

async function runSearch(query: string): Promise<void> {
  $videoSearchSwitch.set(true)
  $address.set({ ...$address.get(), search: query })
  const stop = syncSearchWithUrl()
  retrySearch()
  await new Promise<void>((resolve) => {
    const end = $search.subscribe(({ state }) => {
      if (state !== 'failed') return
      resolve()
      queueMicrotask(() => end())
    })
  })
  const { search: _, ...address } = $address.get()
  $address.set(address)
  stop()
}

const camera = () => $liveCameras.get()[0]!
export const ACTIONS: readonly StoreCall[] = [
  { what: 'deletes events', ledger: 'EXT-events-delete', ask: () => deleteSelected([EVENT]) },
  {
    what: 'brings events back',
    ledger: 'EXT-events-restore',
    ask: () => ($deleted.set({ events: [EVENT], until: 1 }), undoDelete()),
  },
  { what: 'marks events as seen', ledger: 'EXT-review', ask: () => markSelected([EVENT]) },
  { what: 'downloads clips', ledger: 'EXT-export', ask: () => exportSelected([EVENT]) },
  { what: 'judges a label', ledger: 'CALL-44', ask: () => sendEventVerdict(EVENT, 'right') },
  { what: 'sends a clip', ledger: 'CALL-45', ask: () => sendVideo(EVENT, [], 'submit') },
  { what: 'takes a clip back', ledger: 'CALL-45', ask: () => sendVideo(EVENT, [], 'withdraw') },
  { what: 'puts a camera elsewhere', ledger: 'EXT-camera-order', ask: () => placeCamera('a', 'b') },
  { what: 'chooses the cameras to see', ledger: 'CALL-33', ask: () => saveCameraFilter(['a']) },
  { what: 'saves a layout', ledger: 'EXT-set-live-layouts', ask: () => saveLayout('Evening') },
  ...SETTINGS_ACTIONS,
  { what: 'renames a camera', ledger: 'EXT-camera-rename', ask: () => rename('a', 'Gate') },
  { what: 'switches a camera off', ledger: 'EXT-camera-power', ask: () => switchPower('a', false) },
  { what: 'removes a camera', ledger: 'EXT-camera-remove', ask: () => removeOwnCamera(camera()) },
  ...MONEY_ACTIONS,
  { what: 'shares a camera', ledger: 'EXT-share', ask: () => addCameraShare('a', 'sam@example.com') },
  { what: 'takes a share back', ledger: 'EXT-unshare', ask: () => removeCameraShare('a', 'sam@example.com') },
  { what: 'judges what a search found', ledger: 'CALL-56', ask: () => giveFeedback('a fox', null) },
  {
    what: 'takes that judgement back',
    ledger: 'EXT-search-feedback-undo',
    ask: () => ($given.set({ 'a fox': { id: 'f1', isAccurate: true } }), undoFeedback('a fox')),
  },
  {
    what: 'deletes a search',
    ledger: 'CALL-49',
    ask: () => ($videoSearchHistory.set([entry('q1')]), deleteSearches(['q1'])),
  },
  {
    what: 'deletes searches',
    ledger: 'CALL-48',
    ask: () => ($videoSearchHistory.set([entry('q1'), entry('q2')]), deleteSearches(['q1', 'q2'])),
  },
  {
    what: 'deletes all searches',
    ledger: 'CALL-48',
    ask: () => ($videoSearchHistory.set([entry('q1')]), clearHistory()),
  },
]

/** Calls for the event list. If one fails, the message is shown both in place of the list and as a toast (OPEN-63). */
export const EVENT_LISTS: readonly PanelCall[] = [
  { what: 'the events of a paid view', ledger: 'CALL-37', ask: () => showEvents(false), place: eventsText },
  { what: 'the events of a free view', ledger: 'CALL-38', ask: () => showEvents(true), place: eventsText },
]

function showEvents(isFree: boolean): Promise<void> {
  $isFreeView.set(isFree)
  const done = new Promise<void>((resolve) => {
    const end = $events.listen(({ state }) => {
      if (state !== 'failed') return
      resolve()
      queueMicrotask(() => end())
    })
  })
  reloadEvents()
  return done
}

function eventsText(): string | undefined {
  const list = $events.get()
  return list.state === 'failed' ? failureText(list.failure) : undefined
}

const failed = (current: { state: string; failure?: unknown }) => current.state === 'failed' && text(current.failure)

export const PANELS: readonly PanelCall[] = [
  ...ADDING_PANELS,
  ...SETTINGS_PANELS,
  { what: 'the saved layouts', ledger: 'EXT-live-layouts', ask: loadSavedLayouts, place: text },
  { what: 'who else sees a camera', ledger: 'EXT-shares', ask: loadShares, place: () => failed($shares.get()) },
  {
    what: 'which plan covers a camera',
    ledger: 'CALL-29',
    ask: () => loadBindings(['a']),
    place: () => failed($bindings.get()),
  },
  {
    what: 'the services of the account',
    ledger: 'CALL-08',
    ask: loadSubscriptions,
    place() {
      const current = $subscriptions.get()
      return current.state === 'failed' && failureText(current.failure)
    },
  },
  ...MONEY_PANELS,
  { what: 'the timeline', ledger: 'EXT-timeline', ask: showTimeline, place: () => failed($timeline.get()) },
  { what: 'an event', ledger: 'CALL-24', ask: () => openClip('e9'), place: (clip) => failed(clip as never) },
  {
    what: 'an event of whatever camera',
    ledger: 'CALL-39',
    ask: () => openClip('e9', ''),
    place: (clip) => failed(clip as never),
  },
  {
    what: 'a clip',
    ledger: 'CALL-26',
    before: { 'CALL-24': EVENT },
    ask: () => openClip('e8'),
    place: (clip) => failed(clip as never),
  },
  {
    what: 'a clip that is being recorded',
    ledger: 'CALL-25',
    before: { 'CALL-24': { ...EVENT, event_resources: [], clip_state: 'uploading' } },
    ask: () => openClip('e7'),
    place: (clip) => failed(clip as never),
  },
  { what: 'what a search finds', ledger: 'CALL-46', ask: () => runSearch('a fox'), place: () => failed($search.get()) },
  { what: 'the searches of before', ledger: 'CALL-47', ask: loadHistory, place: () => failed($historyState.get()) },
  {
    what: 'whether the account searches',
    ledger: 'CALL-52',
    ask: () => loadOnboarding(true),
    place: () => text($onboardingTrouble.get()),
  },
  { what: 'what happened', ledger: 'EXT-activity', ask: loadActivity, place: () => failed($activity.get()) },
  { what: 'what can be wrong with results', ledger: 'CALL-55', ask: loadCategories, place: text },
]

function showTimeline(): Promise<void> {
  return new Promise((resolve) => {
    reloadTimeline()
    const end = $timeline.subscribe(({ state }) => {
      if (state !== 'failed') return
      resolve()
      queueMicrotask(() => end())
    })
  })
}

/**
 * Calls that show no toast if they fail: background calls, and calls whose missing result is visible anyway (OPEN-53,
 * OPEN-54, DEVICE-12, DEVICE-19).
 */
export const SILENT: readonly StoreCall[] = [
  { what: 'the homes', ledger: 'CALL-27', ask: findHome },
  { what: 'the cameras', ledger: 'CALL-28', ask: () => fetchDevices('').catch(() => null) },
  { what: 'the streams', ledger: 'CALL-30', ask: () => acquireStream('a') },
  { what: 'a camera that sleeps', ledger: 'CALL-31', ask: () => wakeUp('a') },
  { what: 'another resolution', ledger: 'CALL-41', ask: () => chooseRendition('a', '720') },
  { what: 'the other lens', ledger: 'CALL-42', ask: () => swapPictures('a') },
  { what: 'a single picture', ledger: 'EXT-snapshot', ask: () => fetchSnapshot('a') },
  { what: 'the home feed', ledger: 'EXT-feed-ticket', ask: openFeed },
  { what: 'the name of a bridge', ledger: 'EXT-bridges', ask: () => fetchBridgeName('a') },
  { what: 'the choice of cameras', ledger: 'CALL-32', ask: loadCameraFilter },
  { what: 'the models', ledger: 'CALL-35', ask: loadModels },
  { what: 'which models work', ledger: 'CALL-34', ask: loadSupported },
  { what: 'an opened event that is now seen', ledger: 'EXT-review', ask: () => markEventReviewed(EVENT) },
  { what: 'what is unusual', ledger: 'CALL-43', ask: loadAnomalies },
  { what: 'the tags', ledger: 'CALL-36', ask: loadEventTags },
  { what: 'how long events are kept', ledger: 'CALL-40', ask: loadRetention },
  { what: 'lists of people', ledger: 'CALL-57', ask: loadFaces },
  {
    what: 'names of people',
    ledger: 'CALL-58',
    before: { 'CALL-57': { collections: [{ collection_id: 'c1', name: 'Home' }] } },
    ask: loadFaces,
  },
  { what: 'searches that find something', ledger: 'CALL-50', ask: loadRecommendations },
  { what: 'which hints were shown', ledger: 'CALL-53', ask: () => claimPopup('search') },
  {
    what: 'that a hint was shown',
    ledger: 'CALL-54',
    before: { 'CALL-53': { state: 0 } },
    // Uses another popup than the entry before (`search`), because the store does not request a popup again that was
    // shown.
    ask: () => claimPopup('prompt'),
  },
]

/** The only action with its own failure text (OPEN-71). */
export const ENROLLMENT: StoreCall = { what: 'turns the search on', ledger: 'CALL-51', ask: enrollInSearch }
