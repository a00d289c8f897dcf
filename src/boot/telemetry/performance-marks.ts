import { CAPTURED } from '../../../contract/telemetry/analytics-events.ts'
import { EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'

/** Something that a page has marked by `performance.mark`; `at` in ms since the navigation began. */
export interface Mark {
  readonly name: string
  readonly at: number
  readonly detail: Readonly<Record<string, string>>
}

const NAMES: readonly string[] = [
  ...[EVENTS.firstPicture, EVENTS.priceShown, EVENTS.payPressed, EVENTS.bought],
  CAPTURED.exposure,
]

/** Hears of what pages mark, also of what they have marked already; the same with the same detail once. */
export function observeMarks(hear: (mark: Mark) => void): void {
  const seen = new Set<string>()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const detail = ((entry as PerformanceMark).detail ?? {}) as Mark['detail']
      const sign = entry.name + JSON.stringify(detail)
      if (!NAMES.includes(entry.name) || seen.has(sign)) continue
      seen.add(sign)
      hear({ name: entry.name, at: entry.startTime, detail })
    }
  }).observe({ type: 'mark', buffered: true })
}
