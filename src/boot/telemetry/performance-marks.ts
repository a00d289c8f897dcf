import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'

/** A `performance.mark` of a page; `at` in ms since the start of navigation. */
export interface Mark {
  readonly name: string
  readonly at: number
  readonly detail: Readonly<Record<string, string>>
}

const REPORTED_NAMES: readonly string[] = [
  ANALYTICS_EVENTS.firstPicture,
  ANALYTICS_EVENTS.priceShown,
  ANALYTICS_EVENTS.payPressed,
  ANALYTICS_EVENTS.bought,
  AUTOMATIC_EVENTS.exposure,
]

/**
 * Reports past and future marks of the page whose names are in `REPORTED_NAMES`. Marks with the same name and detail
 * are reported only once.
 */
export function observeMarks(onMark: (mark: Mark) => void): void {
  const seen = new Set<string>()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const detail = ((entry as PerformanceMark).detail ?? {}) as Mark['detail']
      const key = entry.name + JSON.stringify(detail)
      if (!REPORTED_NAMES.includes(entry.name) || seen.has(key)) continue
      seen.add(key)
      onMark({ name: entry.name, at: entry.startTime, detail })
    }
  }).observe({ type: 'mark', buffered: true })
}
