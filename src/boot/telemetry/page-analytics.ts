import { CAPTURED } from '../../../contract/telemetry/analytics-events.ts'
import { EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { pageAt } from '../../domain/navigation/pages.ts'
import { readTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { Analytics } from '../../services/analytics.ts'
import { Experiments } from '../../services/experiments.ts'
import { FIRST_KEYS, tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { MEASURE_KEYS } from '../../stores/storage/analytics-keys.ts'
import {
  endMeasuring,
  isFirstShown,
  isSamePerson,
  readDue,
  readMeasuring,
  rememberedUser,
  writeDue,
  writeVariant,
} from '../../stores/storage/analytics-opt-out.ts'
import { browserFor, storeSentEvents, tidyMeasured } from '../../stores/storage/sent-analytics-events.ts'
import type { readConfig } from '../page/read-config.ts'
import { isMarkedSignedIn } from '../page/leave-page.ts'
import { giveWay } from './yield-when-idle.ts'
import { observeMarks, type Mark } from './performance-marks.ts'

type Config = Awaited<ReturnType<typeof readConfig>>

/** Measures this page until it is left, its owner says no or its person is gone (ANALYTICS-02 to ANALYTICS-07). */
export async function measurePage(config: Config): Promise<void> {
  suppressOwnErrors()
  // The id of a session that has ended by itself is left over; only the marker says that somebody is signed in.
  const userId = isMarkedSignedIn() ? rememberedUser() : null
  const analytics = createAnalytics(config, userId)
  const experiments = createExperiments(config, analytics)
  // Before anything is waited for: a choice that is made meanwhile counts.
  whenOver(analytics, () => {
    analytics.stop()
    experiments?.stop()
    tidyMeasured(Date.now())
  })
  await analytics.start(userId ?? undefined)
  if (analytics.isStopped) return tidyMeasured(Date.now())
  trackSignIn(analytics, userId)
  const person = { ...(userId !== null && { user_id: userId }), device_id: analytics.deviceId ?? '' }
  const variant = (await experiments?.start(person)) ?? null
  if (analytics.isStopped) return experiments?.stop()
  observeMarks((mark) => {
    // What was shown before it was known is shown by chance.
    if (mark.name !== CAPTURED.exposure) track(analytics, mark)
    else if (mark.detail['flag'] === config.experiment && mark.detail['variant'] === variant) experiments?.expose()
  })
  writeVariant(config.experiment ?? '', variant, userId)
  // Metrics of the page are told as it goes out of sight, by a listener that was there before this one.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && analytics.flush())
}

/**
 * What measures a page is no failure of the page: the libraries do not catch all that a sink may answer, and the browser says
 * nothing of what comes from this file. Reports of errors hear of it all the same.
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
    ...{ origin: location.origin, build: buildId, testTracking: testTracking !== 'off' },
    route: pageAt(location.pathname).path,
    fetch: (url, init) => fetch(url, init),
    ...{ readDue, writeDue, browserFor, sent: storeSentEvents, giveWay },
    goesOn: () => readMeasuring(Date.now()) === 'on' && (userId === null || rememberedUser() === userId),
    optOut() {
      endMeasuring()
      dispatchEvent(new Event('porchlight:measuring'))
    },
  })
}

function createExperiments({ experiment = '', experimentPollMs }: Config, analytics: Analytics): Experiments | null {
  if (experiment === '') return null
  return new Experiments({
    ...{ origin: location.origin, flag: experiment, isSamePerson, isFirstShown },
    ...(Number(experimentPollMs) > 0 && { pollMs: Number(experimentPollMs) }),
    fetch: (url, init) => fetch(url, init),
    // Where nothing is measured any more it is not kept to be told later.
    expose: (name, variant) => analytics.track(CAPTURED.exposure, { flag_key: name, variant }) || analytics.isStopped,
  })
}

/** Hears from this page, from others of this browser, and as the page comes back, that it is measured no more. */
function whenOver(analytics: Analytics, stop: () => void): void {
  const checkConsent = () => void (analytics.goesOn || stop())
  addEventListener('porchlight:measuring', checkConsent)
  addEventListener('pageshow', checkConsent)
  addEventListener('storage', ({ key, newValue }) => {
    // Whoever signs out leaves no number of this browser behind, also where this page was nobody's.
    const isSignedOut = key === null || (key === FIRST_KEYS.userId && newValue === null)
    if (isSignedOut) stop()
    else checkConsent()
  })
}

function track(analytics: Analytics, { name, at, detail }: Mark): void {
  const props = name === EVENTS.firstPicture ? { ms: Math.round(at) } : detail
  analytics.track(name, props, Math.round(performance.timeOrigin + at))
}

/** A sign-in that has led here, and one that was begun in this tab and left again. */
function trackSignIn(analytics: Analytics, userId: string | null): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const now = Math.round(performance.timeOrigin)
  if (userId && navigation?.type === 'navigate' && isFromCallback()) {
    analytics.track(EVENTS.signInBegun, {}, now)
    analytics.track(EVENTS.signedIn, {}, now)
  }
  const startedAt = readTimes(tab.read(TAB_KEYS.authorizeTimes)).at(-1) ?? 0
  if (userId || startedAt <= Number(tab.read(MEASURE_KEYS.begun))) return
  tab.write(MEASURE_KEYS.begun, String(startedAt))
  analytics.track(EVENTS.signInBegun, {}, startedAt)
}

/** Whether the page before was where sign-ins come back to, which says in its query where they go on. */
const isFromCallback = () => document.referrer.replace(/[?#].*/, '') === `${location.origin}/user/callback`
