import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { METRICS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import {
  createEventCounts,
  FUNNELS,
  getQuantile,
  getStepBit,
  mergeEventCounts,
  type EventCounts,
} from './event-counts.ts'
import { summarizeExperiments } from './experiments-report.ts'

/** Part of the insights report that is computed from events. */
export type EventFigures = Pick<
  InsightsReport,
  'sample_rate' | 'visits' | 'visitors' | 'views' | 'vitals' | 'first_picture' | 'funnels' | 'experiments'
>

/** Merges the counts of several objects into one report. */
export class ReportBuilder {
  readonly #sampleRate: number
  readonly #counts = createEventCounts()
  readonly #sums = { visits: 0, visitors: 0 }
  readonly #people = new Map<string, number>()

  /** `sampleRate`: highest sample rate of the report's period. */
  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate
  }

  add(counts: EventCounts): void {
    mergeEventCounts(this.#counts, counts)
  }

  /** Counts the browsers so far and forgets them. Browsers that are added later must be other browsers. */
  endBrowserGroup(): void {
    for (const { steps, sessions } of this.#counts.browsers.values()) {
      this.#sums.visits += sessions.size
      this.#sums.visitors += Number(sessions.size > 0)
      for (const key of listCompletedSteps(steps)) this.#people.set(key, (this.#people.get(key) ?? 0) + 1)
    }
    this.#counts.browsers.clear()
  }

  build(): EventFigures {
    this.endBrowserGroup()
    const rate = this.#sampleRate
    return {
      sample_rate: rate,
      visits: this.#sums.visits * rate,
      visitors: this.#sums.visitors * rate,
      views: this.#counts.views * rate,
      vitals: summarizeVitals(this.#counts),
      first_picture: summarizeFirstPicture(this.#counts),
      funnels: FUNNELS.map((funnel) => ({
        name: funnel.name,
        steps: funnel.steps.map((name, at) => ({
          name,
          people: this.#people.get(formatStepKey(funnel.name, at)) ?? 0,
          events: this.#counts.events.get(name) ?? 0,
        })),
      })),
      experiments: summarizeExperiments(this.#counts),
    }
  }
}

const formatStepKey = (funnel: string, at: number) => `${funnel} ${at}`

/** Returns the keys of the funnel steps that a browser completed, together with all earlier steps of the funnel. */
function listCompletedSteps(steps: number): string[] {
  return FUNNELS.flatMap((funnel) => {
    const missing = funnel.steps.findIndex((name) => (steps & getStepBit(name)) === 0)
    const completed = missing === -1 ? funnel.steps : funnel.steps.slice(0, missing)
    return completed.map((_, at) => formatStepKey(funnel.name, at))
  })
}

function summarizeVitals({ values }: EventCounts): EventFigures['vitals'] {
  const vitals = METRICS.flatMap((metric) =>
    [...(values.get(metric) ?? [])].map(([route, counts]) => ({
      route,
      metric,
      count: counts.count,
      p75: getQuantile(metric, counts, 0.75) ?? 0,
      good: counts.good / counts.count,
    })),
  )
  return vitals.toSorted((a, b) => compareText(a.route, b.route) || compareText(a.metric, b.metric))
}

const compareText = (a: string, b: string) => Number(a > b) - Number(a < b)

function summarizeFirstPicture({ values }: EventCounts): EventFigures['first_picture'] {
  const metric = ANALYTICS_EVENTS.firstPicture
  const counts = values.get(metric)?.get('') ?? { count: 0, good: 0, histogram: new Map<number, number>() }
  return {
    count: counts.count,
    p50: getQuantile(metric, counts, 0.5),
    p75: getQuantile(metric, counts, 0.75),
    p95: getQuantile(metric, counts, 0.95),
  }
}
