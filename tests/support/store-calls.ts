import { vi } from 'vitest'
import type { Event } from '../../contract/events/events.ts'
import { $eventUrl } from '../../src/stores/events/event-url.ts'
import { watchAnomalies } from '../../src/stores/events/anomalies.ts'
import { $visibleEventIds } from '../../src/stores/events/visible-events.ts'
import { $clip, syncOpenEvent } from '../../src/stores/events/open-clip.ts'
import { deleteEventsOfOwner, toggleReviewed, undoDeletion } from '../../src/stores/events/event-deletion.ts'
import { exportEventClips } from '../../src/stores/events/event-export.ts'
import { $deletedEvents } from '../../src/stores/events/event-selection.ts'
import { loadEventTags } from '../../src/stores/events/event-tags.ts'
import { $events, reloadEvents, markEventReviewed } from '../../src/stores/events/events.ts'
import { loadKnownPeople } from '../../src/stores/events/known-people.ts'
import { sendEventVerdict, sendFeedbackClip } from '../../src/stores/events/event-feedback.ts'
import { loadRetention } from '../../src/stores/events/retention.ts'
import { $timeline, reloadTimeline } from '../../src/stores/events/timeline.ts'
import { $activity, loadActivity } from '../../src/stores/account/activity.ts'
import { $licenseAssignments, loadLicenseAssignments } from '../../src/stores/billing/license-assignments.ts'
import { $subscriptions, loadSubscriptions } from '../../src/stores/billing/subscriptions.ts'
import { $isFreeView, loadHomeId, fetchDevices } from '../../src/stores/home/devices.ts'
import { openFeed } from '../../src/stores/home/feed.ts'
import { loadCameraFilter, saveCameraFilter } from '../../src/stores/live/camera-filter.ts'
import { loadCameraModels, loadSupportedModels } from '../../src/stores/live/camera-models.ts'
import { loadSavedLayouts, saveLayout } from '../../src/stores/live/saved-layouts.ts'
import { moveCamera } from '../../src/stores/live/camera-order.ts'
import {
  fetchBridgeName,
  setRenditionForAll,
  removeOwnCamera,
  renameOwnCamera,
  setCameraPowerState,
} from '../../src/stores/live/camera-settings.ts'
import {
  $cameraShares,
  loadCameraShares,
  addCameraShare,
  removeCameraShares,
} from '../../src/stores/live/camera-shares.ts'
import { $liveCameras } from '../../src/stores/live/live-page.ts'
import { fetchSnapshot } from '../../src/stores/live/request-snapshot.ts'
import { acquireStream } from '../../src/stores/live/stream-tickets.ts'
import { swapLenses } from '../../src/stores/live/swap-lenses.ts'
import { wakeBatteryCamera } from '../../src/stores/live/wake-camera.ts'
import { enrollInSearch } from '../../src/stores/account/search-enrollment.ts'
import { formatFailure } from '../../src/stores/shell/failure-text.ts'
import { CAMERA_SETUP_PANELS } from './camera-setup-store-calls.ts'
import { BILLING_ACTIONS, BILLING_PANELS } from './billing-store-calls.ts'
import { CAMERA_SETTINGS_ACTIONS, CAMERA_SETTINGS_PANELS } from './camera-settings-store-calls.ts'
import { SEARCH_ACTIONS, SEARCH_PANELS, SILENT_SEARCH_CALLS } from './search-store-calls.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

export const TEST_EVENT: Event = {
  event_id: 'e1',
  device_id: 'a',
  event_ts: Date.now(),
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [{ begin_time: 1, end_time: 2, resource_version: 1, resource_type: 's3' }],
  reviewed: false,
}
const readText = (failure: unknown) => (failure as { text?: string } | null)?.text

/**
 * Opens a clip through the event URL store, waits until the clip has loaded or failed, and closes it. Returns the
 * clip's state before the closing.
 */
async function loadClip(eventId: string, deviceId = 'a'): Promise<unknown> {
  $eventUrl.set({ ...$eventUrl.get(), open: { eventId, deviceId } })
  const stop = syncOpenEvent()
  const clip = await new Promise<ReturnType<typeof $clip.get>>((resolve) => {
    const isLoading = (now: ReturnType<typeof $clip.get>) =>
      now.state === 'loading' || now.state === 'none' || (now.state === 'ready' && now.isUnconfirmed)
    const unsubscribe = $clip.listen((now) => !isLoading(now) && resolve(now))
    setTimeout(unsubscribe, 5000)
  })
  stop()
  $eventUrl.set({ ...$eventUrl.get(), open: null })
  return clip
}

/** Longer than the delay after which the store requests the anomalies of visible cards. */
const ANOMALY_IN_VIEW_MS = 1000

async function loadAnomalies(): Promise<void> {
  vi.useFakeTimers()
  $visibleEventIds.set(['e1'])
  const stop = watchAnomalies()
  await vi.advanceTimersByTimeAsync(ANOMALY_IN_VIEW_MS)
  stop()
  vi.useRealTimers()
}

const getFirstCamera = () => $liveCameras.get()[0]!
export const TOAST_ACTIONS: readonly StoreCall[] = [
  { description: 'deletes events', requirement: 'EXT-events-delete', ask: () => deleteEventsOfOwner([TEST_EVENT]) },
  {
    description: 'restores deleted events',
    requirement: 'EXT-events-restore',
    ask: () => ($deletedEvents.set({ events: [TEST_EVENT], until: 1 }), undoDeletion()),
  },
  { description: 'marks events as seen', requirement: 'EXT-review', ask: () => toggleReviewed([TEST_EVENT]) },
  { description: 'downloads clips', requirement: 'EXT-export', ask: () => exportEventClips([TEST_EVENT]) },
  { description: 'rates an event label', requirement: 'CALL-44', ask: () => sendEventVerdict(TEST_EVENT, 'right') },
  {
    description: 'submits a clip as feedback',
    requirement: 'CALL-45',
    ask: () => sendFeedbackClip(TEST_EVENT, [], 'submit'),
  },
  {
    description: 'withdraws a submitted clip',
    requirement: 'CALL-45',
    ask: () => sendFeedbackClip(TEST_EVENT, [], 'withdraw'),
  },
  { description: 'reorders a camera', requirement: 'EXT-camera-order', ask: () => moveCamera('a', 'b') },
  { description: 'saves the camera filter', requirement: 'CALL-33', ask: () => saveCameraFilter(['a']) },
  { description: 'saves a layout', requirement: 'EXT-set-live-layouts', ask: () => saveLayout('Evening') },
  ...CAMERA_SETTINGS_ACTIONS,
  { description: 'renames a camera', requirement: 'EXT-camera-rename', ask: () => renameOwnCamera('a', 'Gate') },
  { description: 'switches a camera off', requirement: 'EXT-camera-power', ask: () => setCameraPowerState('a', false) },
  { description: 'removes a camera', requirement: 'EXT-camera-remove', ask: () => removeOwnCamera(getFirstCamera()) },
  ...BILLING_ACTIONS,
  { description: 'shares a camera', requirement: 'EXT-share', ask: () => addCameraShare('a', 'sam@example.com') },
  {
    description: 'removes a camera share',
    requirement: 'EXT-unshare',
    ask: () => removeCameraShares(['a'], 'sam@example.com'),
  },
  ...SEARCH_ACTIONS,
]

/** Calls for the event list. If one fails, the message is shown both in place of the list and as a toast (OPEN-63). */
export const EVENT_LIST_CALLS: readonly PanelCall[] = [
  {
    description: 'the events of a paid plan',
    requirement: 'CALL-37',
    ask: () => loadEvents(false),
    readFailure: readEventListFailure,
  },
  {
    description: 'the events of the free plan',
    requirement: 'CALL-38',
    ask: () => loadEvents(true),
    readFailure: readEventListFailure,
  },
]

function loadEvents(isFree: boolean): Promise<void> {
  $isFreeView.set(isFree)
  const done = new Promise<void>((resolve) => {
    const unsubscribe = $events.listen(({ state }) => {
      if (state !== 'failed') return
      resolve()
      queueMicrotask(() => unsubscribe())
    })
  })
  reloadEvents()
  return done
}

function readEventListFailure(): string | undefined {
  const list = $events.get()
  return list.state === 'failed' ? formatFailure(list.failure) : undefined
}

const readFailureText = (current: { state: string; failure?: unknown }) =>
  current.state === 'failed' && readText(current.failure)

export const PANEL_CALLS: readonly PanelCall[] = [
  ...CAMERA_SETUP_PANELS,
  ...CAMERA_SETTINGS_PANELS,
  { description: 'the saved layouts', requirement: 'EXT-live-layouts', ask: loadSavedLayouts, readFailure: readText },
  {
    description: 'the shares of a camera',
    requirement: 'EXT-shares',
    ask: loadCameraShares,
    readFailure: () => readFailureText($cameraShares.get()),
  },
  {
    description: 'the license assignments of a camera',
    requirement: 'CALL-29',
    ask: () => loadLicenseAssignments(['a']),
    readFailure: () => readFailureText($licenseAssignments.get()),
  },
  {
    description: 'the subscriptions of the account',
    requirement: 'CALL-08',
    ask: loadSubscriptions,
    readFailure() {
      const current = $subscriptions.get()
      return current.state === 'failed' && formatFailure(current.failure)
    },
  },
  ...BILLING_PANELS,
  {
    description: 'the timeline',
    requirement: 'EXT-timeline',
    ask: loadTimeline,
    readFailure: () => readFailureText($timeline.get()),
  },
  {
    description: 'an event',
    requirement: 'CALL-24',
    ask: () => loadClip('e9'),
    readFailure: (clip) => readFailureText(clip as never),
  },
  {
    description: 'an event without a camera id',
    requirement: 'CALL-39',
    ask: () => loadClip('e9', ''),
    readFailure: (clip) => readFailureText(clip as never),
  },
  {
    description: 'a clip',
    requirement: 'CALL-26',
    before: { 'CALL-24': TEST_EVENT },
    ask: () => loadClip('e8'),
    // A stored clip plays without this call, so only its `failure` tells that the call failed.
    readFailure: (clip) => readText((clip as { failure?: unknown }).failure),
  },
  {
    description: 'a clip that is being recorded',
    requirement: 'CALL-25',
    before: { 'CALL-24': { ...TEST_EVENT, event_resources: [], clip_state: 'uploading' } },
    ask: () => loadClip('e7'),
    readFailure: (clip) => readFailureText(clip as never),
  },
  ...SEARCH_PANELS,
  {
    description: 'the activity log',
    requirement: 'EXT-activity',
    ask: loadActivity,
    readFailure: () => readFailureText($activity.get()),
  },
]

function loadTimeline(): Promise<void> {
  return new Promise((resolve) => {
    reloadTimeline()
    const unsubscribe = $timeline.subscribe(({ state }) => {
      if (state !== 'failed') return
      resolve()
      queueMicrotask(() => unsubscribe())
    })
  })
}

/**
 * Calls that show no toast if they fail: background calls, and calls whose missing result is visible anyway (OPEN-53,
 * OPEN-54, DEVICE-12, DEVICE-19).
 */
export const SILENT_CALLS: readonly StoreCall[] = [
  { description: 'the homes', requirement: 'CALL-27', ask: loadHomeId },
  { description: 'the cameras', requirement: 'CALL-28', ask: () => fetchDevices('').catch(() => null) },
  { description: 'the stream tickets', requirement: 'CALL-30', ask: () => acquireStream('a') },
  { description: 'waking a sleeping camera', requirement: 'CALL-31', ask: () => wakeBatteryCamera('a') },
  { description: 'another resolution', requirement: 'CALL-41', ask: () => setRenditionForAll('a', '720') },
  { description: 'swapping the lenses', requirement: 'CALL-42', ask: () => swapLenses('a') },
  { description: 'a snapshot', requirement: 'EXT-snapshot', ask: () => fetchSnapshot('a') },
  { description: 'the home feed', requirement: 'EXT-feed-ticket', ask: openFeed },
  { description: 'the name of a bridge', requirement: 'EXT-bridges', ask: () => fetchBridgeName('a') },
  { description: 'the camera filter', requirement: 'CALL-32', ask: loadCameraFilter },
  { description: 'the device models', requirement: 'CALL-35', ask: loadCameraModels },
  { description: 'the supported models', requirement: 'CALL-34', ask: loadSupportedModels },
  {
    description: 'marking an opened event as reviewed',
    requirement: 'EXT-review',
    ask: () => markEventReviewed(TEST_EVENT),
  },
  { description: 'the anomalies', requirement: 'CALL-43', ask: loadAnomalies },
  { description: 'the tags', requirement: 'CALL-36', ask: loadEventTags },
  { description: 'the retention period', requirement: 'CALL-40', ask: loadRetention },
  { description: 'the face collections', requirement: 'CALL-57', ask: loadKnownPeople },
  {
    description: 'the known faces',
    requirement: 'CALL-58',
    before: { 'CALL-57': { collections: [{ collection_id: 'c1', name: 'Home' }] } },
    ask: loadKnownPeople,
  },
  ...SILENT_SEARCH_CALLS,
]

/** The only action with its own failure text (OPEN-71). */
export const SEARCH_ENROLLMENT: StoreCall = {
  description: 'turns search on',
  requirement: 'CALL-51',
  ask: enrollInSearch,
}
