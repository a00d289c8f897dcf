import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import { rateMetric, type Metric } from '../../contract/telemetry/web-vitals.ts'
import type { EventProps } from './analytics.ts'

/** Layout shifts form a window while gaps are short and the window is not too long. CLS is the largest window. */
const SHIFT_GAP_MS = 1000
const SHIFT_WINDOW_MS = 5000
/** Shorter interactions are not observed, because they are good anyway. */
const INTERACTION_MIN_MS = 40
/** INP ignores the longest of each 50 interactions. */
const INTERACTIONS_PER_OUTLIER = 50

type Values = Partial<Record<Metric, number>>
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/**
 * Measures the page's Web Vitals and tracks them once, when the page is hidden for the first time. Returns a function
 * that ends this.
 */
export function observeWebVitals(track: (type: string, props: EventProps) => void): () => void {
  const values: Values = {}
  const observers = [
    observe('paint', (entries) =>
      setPaint(
        values,
        'FCP',
        entries.find(({ name }) => name === 'first-contentful-paint'),
      ),
    ),
    observe('largest-contentful-paint', (entries) => setPaint(values, 'LCP', entries.at(-1))),
    observe('layout-shift', createShiftHandler(values)),
    observe('event', createInteractionHandler(values), { durationThreshold: INTERACTION_MIN_MS }),
  ]
  const stop = () => {
    document.removeEventListener('visibilitychange', handleVisibility)
    for (const observer of observers) observer?.stop()
  }
  const handleVisibility = () => {
    if (document.visibilityState !== 'hidden') return
    for (const observer of observers) observer?.takeRecords()
    stop()
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (navigation && navigation.responseStart > 0) values.TTFB = sinceActivation(navigation.responseStart)
    const metrics = Object.entries(values) as [Metric, number][]
    if (metrics.length > 0) track(AUTOMATIC_EVENTS.webVitals, Object.fromEntries(metrics.map(toProperty)))
  }
  document.addEventListener('visibilitychange', handleVisibility)
  return stop
}

const toProperty = ([metric, value]: [Metric, number]) =>
  [`[Amplitude] ${metric}`, { value, rating: rateMetric(metric, value) }] as const

/** Observes past and future entries. Returns null if the browser does not support the type. */
function observe(type: string, handle: (entries: PerformanceEntry[]) => void, options: object = {}) {
  if (!isSupported(type)) return null
  const observer = new PerformanceObserver((list) => handle(list.getEntries()))
  observer.observe({ type, buffered: true, ...options })
  return { takeRecords: () => handle(observer.takeRecords()), stop: () => observer.disconnect() }
}

const isSupported = (type: string): boolean =>
  'PerformanceObserver' in window && !!PerformanceObserver.supportedEntryTypes?.includes(type)

/** Sets the time of a paint. Ignores paints after the page was hidden, which say nothing about its speed. */
function setPaint(values: Values, metric: 'FCP' | 'LCP', entry: PerformanceEntry | undefined): void {
  const hidden = performance.getEntriesByType('visibility-state').find(({ name }) => name === 'hidden')
  if (entry && entry.startTime < (hidden?.startTime ?? Infinity)) values[metric] = sinceActivation(entry.startTime)
}

/** Returns the time since the page was activated, ms. Differs from the page's time only for prerendered pages. */
function sinceActivation(time: number): number {
  const [navigation] = performance.getEntriesByType('navigation') as (PerformanceEntry & { activationStart?: number })[]
  return Math.max(0, time - (navigation?.activationStart ?? 0))
}

function createShiftHandler(values: Values) {
  let [start, end, sum] = [0, -Infinity, 0]
  if (isSupported('layout-shift')) values.CLS = 0
  return (entries: PerformanceEntry[]) => {
    for (const { startTime, value, hadRecentInput } of entries as LayoutShift[]) {
      if (hadRecentInput) continue
      const isSameWindow = startTime - end < SHIFT_GAP_MS && startTime - start < SHIFT_WINDOW_MS
      if (!isSameWindow) [start, sum] = [startTime, 0]
      end = startTime
      sum += value
      values.CLS = Math.max(values.CLS ?? 0, sum)
    }
  }
}

function createInteractionHandler(values: Values) {
  const durations = new Map<number, number>()
  return (entries: PerformanceEntry[]) => {
    for (const { interactionId, duration } of entries as PerformanceEventTiming[])
      if (interactionId) durations.set(interactionId, Math.max(duration, durations.get(interactionId) ?? 0))
    const sorted = [...durations.values()].sort((a, b) => b - a)
    const { interactionCount = sorted.length } = performance as { interactionCount?: number }
    const outliers = Math.floor(interactionCount / INTERACTIONS_PER_OUTLIER)
    const duration = sorted[Math.min(outliers, sorted.length - 1)]
    if (duration !== undefined) values.INP = duration
  }
}
