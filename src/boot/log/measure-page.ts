import { CAPTURED } from '../../../contract/measured.ts'
import { EVENTS } from '../../../contract/telemetry.ts'
import { pageAt } from '../../domain/pages.ts'
import { readTimes } from '../../domain/loop-guard.ts'
import { Analytics } from '../../services/analytics.ts'
import { Experiments } from '../../services/experiments.ts'
import { startRevenue } from '../../services/revenue.ts'
import { FIRST_KEYS, local, tab, TAB_KEYS } from '../../stores/storage/box.ts'
import { MEASURE_KEYS } from '../../stores/storage/measure-keys.ts'
import { keepSent, optOut, readDue, readMeasuring, writeDue, writeVariant } from '../../stores/storage/measured.ts'
import { readConfig } from '../page/config.ts'
import { followMarks, type Mark } from './marks.ts'

/** Measures this page until it is left, or until its owner says no (ANALYTICS-01 to ANALYTICS-07). */
export async function measurePage(): Promise<void> {
  const {
    buildId = '',
    testTracking = 'on',
    experiment = '',
    experimentPollMs = '',
    revenueToken = '',
  } = await readConfig()
  const userId = local.read(FIRST_KEYS.userId) ?? undefined
  const analytics = new Analytics({
    ...{ origin: location.origin, build: buildId, testTracking: testTracking !== 'off' },
    route: pageAt(location.pathname).path,
    fetch: (url, init) => fetch(url, init),
    ...{ readDue, writeDue, optOut, sent: keepSent },
  })
  void startRevenue(revenueToken, local.read(FIRST_KEYS.email) ?? '')
  await analytics.start(userId)
  tellSignIn(analytics, userId)
  const experiments = experiment === '' ? null : experimentsOf(analytics, experiment, experimentPollMs)
  const variant = (await experiments?.start({ user_id: userId, device_id: analytics.deviceId } as object)) ?? null
  followMarks((mark) => {
    // What was shown before it was known is shown by chance.
    if (mark.name !== CAPTURED.exposure) track(analytics, mark)
    else if (mark.detail['variant'] === variant) experiments?.expose()
  })
  writeVariant(variant)
  // Metrics of the page are told as it goes out of sight, by a listener that was there before this one.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && analytics.flush())
  addEventListener('storage', follow)
  addEventListener('porchlight:measuring', follow)

  function follow(): void {
    if (readMeasuring(Date.now()) === 'on') return
    analytics.stop()
    experiments?.stop()
  }
}

function experimentsOf(analytics: Analytics, flag: string, pollMs: string): Experiments {
  return new Experiments({
    ...{ origin: location.origin, flag },
    ...(Number(pollMs) > 0 && { pollMs: Number(pollMs) }),
    fetch: (url, init) => fetch(url, init),
    expose: (name, variant) => analytics.track(CAPTURED.exposure, { flag_key: name, variant }),
  })
}

function track(analytics: Analytics, { name, at, detail }: Mark): void {
  const props = name === EVENTS.firstPicture ? { ms: Math.round(at) } : detail
  analytics.track(name, props, Math.round(performance.timeOrigin + at))
}

/** A sign-in that has led here, and one that was begun in this tab and left again. */
function tellSignIn(analytics: Analytics, userId: string | undefined): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isFirst = navigation?.type === 'navigate'
  const now = Math.round(performance.timeOrigin)
  if (userId && isFirst && document.referrer === `${location.origin}/user/callback`) {
    analytics.track(EVENTS.signInBegun, {}, now)
    analytics.track(EVENTS.signedIn, {}, now)
  }
  const begun = readTimes(tab.read(TAB_KEYS.authorizeTimes)).at(-1) ?? 0
  if (userId || begun <= Number(tab.read(MEASURE_KEYS.begun))) return
  tab.write(MEASURE_KEYS.begun, String(begun))
  analytics.track(EVENTS.signInBegun, {}, begun)
}
