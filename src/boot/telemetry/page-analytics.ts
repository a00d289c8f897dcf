import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { findPage } from '../../domain/navigation/pages.ts'
import { parseRedirectTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { Analytics } from '../../services/analytics.ts'
import { Experiments } from '../../services/experiments.ts'
import { PUBLIC_PAGE_KEYS, safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { ANALYTICS_KEYS } from '../../stores/storage/analytics-keys.ts'
import {
  endTestTracking,
  isFirstExposure,
  claimCachedVariants,
  readTestTrackingEnd,
  readAnalyticsState,
  readRememberedUserId,
  writeTestTrackingEnd,
  writeVariant,
} from '../../stores/storage/analytics-opt-out.ts'
import {
  getAnalyticsBrowser,
  storeSentEvents,
  deleteStaleAnalyticsData,
} from '../../stores/storage/sent-analytics-events.ts'
import type { readConfig } from '../page/read-config.ts'
import { isMarkedSignedIn } from '../page/leave-page.ts'
import { waitForIdle } from './yield-when-idle.ts'
import { observeMarks, type Mark } from './performance-marks.ts'

type Config = Awaited<ReturnType<typeof readConfig>>

/** Measures this page until it is left, the user opts out or the account changes (ANALYTICS-02 to ANALYTICS-07). */
export async function measurePage(config: Config): Promise<void> {
  suppressOwnErrors()
  // An expired session leaves its user id behind; only the marker cookie says that an account is signed in.
  const userId = isMarkedSignedIn() ? readRememberedUserId() : null
  const analytics = createAnalytics(config, userId)
  const experiments = createExperiments(config, analytics)
  // Registered before the first `await`, so that an opt-out during the wait is not missed.
  watchAnalyticsEnd(analytics, () => {
    analytics.stop()
    experiments?.stop()
    deleteStaleAnalyticsData(Date.now())
  })
  await analytics.start(userId ?? undefined)
  if (analytics.isStopped) return deleteStaleAnalyticsData(Date.now())
  trackSignIn(analytics, userId)
  const experimentUser = { ...(userId !== null && { user_id: userId }), device_id: analytics.deviceId ?? '' }
  const variant = (await experiments?.start(experimentUser)) ?? null
  if (analytics.isStopped) return experiments?.stop()
  observeMarks((mark) => {
    // The page may have shown another variant before the assignment was known. Such an exposure does not count.
    if (mark.name !== AUTOMATIC_EVENTS.exposure) track(analytics, mark)
    else if (mark.detail['flag'] === config.experiment && mark.detail['variant'] === variant) experiments?.expose()
  })
  writeVariant(config.experiment ?? '', variant, userId)
  // A listener that runs earlier reports the page metrics when the page is hidden. `flush` then sends these metrics.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && analytics.flush())
}

/**
 * Hides errors of this file from the browser's console: the analytics libraries do not handle every response of the
 * analytics endpoint. Error reports still receive these errors.
 */
function suppressOwnErrors(): void {
  const isOurs = (source: unknown) => String(source).includes(import.meta.url)
  addEventListener('unhandledrejection', (event) => {
    if (isOurs((event.reason as Error | null)?.stack)) event.preventDefault()
  })
  addEventListener('error', (event) => {
    if (isOurs(event.filename)) event.preventDefault()
  })
}

function createAnalytics({ buildId = '', testTracking }: Config, userId: string | null): Analytics {
  return new Analytics({
    origin: location.origin,
    build: buildId,
    testTracking: testTracking !== 'off',
    route: findPage(location.pathname).path,
    fetch: (url, init) => fetch(url, init),
    readDue: readTestTrackingEnd,
    writeDue: writeTestTrackingEnd,
    browserFor: getAnalyticsBrowser,
    sent: storeSentEvents,
    giveWay: waitForIdle,
    canContinue: () =>
      readAnalyticsState(Date.now()) === 'on' && (userId === null || readRememberedUserId() === userId),
    optOut() {
      endTestTracking()
      dispatchEvent(new Event('porchlight:measuring'))
    },
  })
}

function createExperiments({ experiment = '', experimentPollMs }: Config, analytics: Analytics): Experiments | null {
  if (experiment === '') return null
  return new Experiments({
    origin: location.origin,
    flag: experiment,
    isSamePerson: claimCachedVariants,
    isFirstShown: isFirstExposure,
    ...(Number(experimentPollMs) > 0 && { pollMs: Number(experimentPollMs) }),
    fetch: (url, init) => fetch(url, init),
    // After analytics has stopped, an exposure counts as sent, so that it is not stored for a later attempt.
    reportExposure: (name, variant) =>
      analytics.track(AUTOMATIC_EVENTS.exposure, { flag_key: name, variant }) || analytics.isStopped,
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
