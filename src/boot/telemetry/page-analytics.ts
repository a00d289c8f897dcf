import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { parseRedirectTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { Analytics, type AnalyticsPorts, type EventSource, type SourcePorts } from '../../services/analytics.ts'
import { Experiments, parseVariant, type Experiment, type ExperimentPorts } from '../../services/experiments.ts'
import { PageEvents } from '../../services/page-events.ts'
import { PUBLIC_PAGE_KEYS, safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { ANALYTICS_KEYS } from '../../stores/storage/analytics-keys.ts'
import {
  endTestTracking,
  isFirstExposure,
  claimCachedVariants,
  readTestTrackingEnd,
  readAnalyticsState,
  readRememberedUserId,
  readVariant,
  writeTestTrackingEnd,
  writeVariant,
} from '../../stores/storage/analytics-opt-out.ts'
import {
  getAnalyticsBrowser,
  addUnsentEvent,
  readUnsentEvents,
  removeUnsentEvents,
  storeAnalyticsBrowser,
  storeSentEvents,
  deleteStaleAnalyticsData,
} from '../../stores/storage/sent-analytics-events.ts'
import type { readConfig } from '../page/read-config.ts'
import { isMarkedSignedIn } from '../page/leave-page.ts'
import { waitForIdle } from './yield-when-idle.ts'
import { observeMarks, type Mark } from './performance-marks.ts'

type Config = Awaited<ReturnType<typeof readConfig>>

/** Source of a page's events, and its experiment client. */
export interface AnalyticsClients {
  readonly createEvents: (ports: SourcePorts) => EventSource
  readonly createExperiment: (ports: ExperimentPorts) => Experiment
}

export const OWN_CLIENTS: AnalyticsClients = {
  createEvents: (ports) => new PageEvents(ports),
  createExperiment: (ports) => new Experiments(ports),
}

/** Measures this page until it is left, the user opts out or the account changes (ANALYTICS-02 to ANALYTICS-07). */
export async function measurePage(config: Config, clients = OWN_CLIENTS): Promise<void> {
  // An expired session leaves its user id behind; only the marker cookie says that an account is signed in.
  const userId = isMarkedSignedIn() ? readRememberedUserId() : null
  const analytics = createAnalytics(config, userId, clients)
  const experiments = createExperiment(config, userId, analytics, clients)
  // Registered before the first `await`, so that an opt-out during the wait is not missed.
  watchAnalyticsEnd(analytics, () => {
    analytics.stop()
    experiments?.stop()
    deleteStaleAnalyticsData(Date.now())
  })
  await analytics.start(userId ?? undefined)
  if (analytics.isStopped) return deleteStaleAnalyticsData(Date.now())
  trackSignIn(analytics, userId)
  const experimentUser = { ...(userId !== null && { user_id: userId }), device_id: analytics.deviceId }
  const variant = (await experiments?.start(experimentUser)) ?? null
  if (analytics.isStopped) return experiments?.stop()
  observeMarks((mark) => {
    // The page may have shown another variant before the assignment was known. Such an exposure does not count.
    if (mark.name !== AUTOMATIC_EVENTS.exposure) track(analytics, mark)
    else if (mark.detail['flag'] === config.experiment && mark.detail['variant'] === variant) experiments?.expose()
  })
  writeVariant(config.experiment ?? '', variant, userId)
  // A listener that runs earlier reports the Web Vitals when the page is hidden. `leave` then sends them.
  document.addEventListener(
    'visibilitychange',
    () => void (document.visibilityState === 'hidden' && analytics.leave().catch(console.debug)),
  )
}

function createAnalytics(
  { buildId = '', testTracking }: Config,
  userId: string | null,
  { createEvents }: AnalyticsClients,
): Analytics {
  const ports: AnalyticsPorts = {
    origin: location.origin,
    build: buildId,
    testTracking: testTracking !== 'off',
    route: document.documentElement.dataset['page'] ?? '',
    fetch: (url, init) => fetch(url, init),
    readDue: readTestTrackingEnd,
    writeDue: writeTestTrackingEnd,
    browserFor: getAnalyticsBrowser,
    storeBrowser: storeAnalyticsBrowser,
    readUnsent: readUnsentEvents,
    addUnsent: addUnsentEvent,
    removeUnsent: removeUnsentEvents,
    runExclusively: runInOneTab,
    sent: storeSentEvents,
    giveWay: waitForIdle,
    canContinue: () =>
      readAnalyticsState(Date.now()) === 'on' && (userId === null || readRememberedUserId() === userId),
    optOut() {
      endTestTracking()
      dispatchEvent(new Event('porchlight:measuring'))
    },
  }
  return new Analytics(ports, createEvents)
}

/** Runs the task under a lock of this browser. Without Web Locks, tabs may send an event twice; the sink ignores one. */
async function runInOneTab(task: () => Promise<void>): Promise<void> {
  const { locks } = navigator as Partial<Navigator>
  await (locks ? locks.request('analytics', task) : task())
}

function createExperiment(
  { experiment = '', experimentPollMs }: Config,
  userId: string | null,
  analytics: Analytics,
  clients: AnalyticsClients,
): Experiment | null {
  if (experiment === '') return null
  return clients.createExperiment({
    origin: location.origin,
    flag: experiment,
    isSamePerson: claimCachedVariants,
    isFirstShown: isFirstExposure,
    ...(Number(experimentPollMs) > 0 && { pollMs: Number(experimentPollMs) }),
    fetch: (url, init) => fetch(url, init),
    reportExposure: (name, variant) => analytics.track(AUTOMATIC_EVENTS.exposure, { flag_key: name, variant }),
    readVariant() {
      const stored = readVariant(userId)
      return stored?.experiment === experiment ? parseVariant(stored.variant) : null
    },
    writeVariant: (variant) => writeVariant(experiment, variant, userId),
  })
}

/**
 * Calls `stop` when analytics must end. Checks the consent after a change in this page or another tab, and when the
 * page returns from the back/forward cache.
 */
function watchAnalyticsEnd(analytics: Analytics, stop: () => void): void {
  const checkConsent = () => void (analytics.canContinue || stop())
  addEventListener('porchlight:measuring', checkConsent)
  addEventListener('pageshow', checkConsent)
  addEventListener('storage', ({ key, newValue }) => {
    // A sign-out in another tab deletes the analytics ids of this browser, so this page stops measuring even if no user
    // is signed in on it.
    const isSignedOut = key === null || (key === PUBLIC_PAGE_KEYS.userId && newValue === null)
    if (isSignedOut) stop()
    else checkConsent()
  })
}

function track(analytics: Analytics, { name, at, detail }: Mark): void {
  const props = name === ANALYTICS_EVENTS.firstPicture ? { ms: Math.round(at) } : detail
  analytics.track(name, props, Math.round(performance.timeOrigin + at))
}

/** Tracks a sign-in that led to this page, and a sign-in that the user started in this tab and abandoned. */
function trackSignIn(analytics: Analytics, userId: string | null): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const now = Math.round(performance.timeOrigin)
  if (userId && navigation?.type === 'navigate' && isFromCallback()) {
    analytics.track(ANALYTICS_EVENTS.signInBegun, {}, now)
    analytics.track(ANALYTICS_EVENTS.signedIn, {}, now)
  }
  const startedAt = parseRedirectTimes(safeSessionStorage.read(TAB_KEYS.authorizeTimes)).at(-1) ?? 0
  if (userId || startedAt <= Number(safeSessionStorage.read(ANALYTICS_KEYS.begun))) return
  safeSessionStorage.write(ANALYTICS_KEYS.begun, String(startedAt))
  analytics.track(ANALYTICS_EVENTS.signInBegun, {}, startedAt)
}

/** True if the previous page was the sign-in callback. Ignores the query of that page, which contains the target. */
const isFromCallback = () => document.referrer.replace(/[?#].*/, '') === `${location.origin}/user/callback`
