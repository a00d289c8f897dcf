import * as v from 'valibot'
import { METRICS } from './analytics-events.ts'

export type Metric = (typeof METRICS)[number]

/** Up to which value a metric is good, and above which it is poor: ms, CLS without unit (ANALYTICS-13 to ANALYTICS-17). */
export const VITAL_LIMITS: Readonly<Record<Metric, readonly [good: number, poor: number]>> = {
  FCP: [1800, 3000],
  LCP: [2500, 4000],
  CLS: [0.1, 0.25],
  INP: [200, 500],
  TTFB: [800, 1800],
}

export type Rating = 'good' | 'needs-improvement' | 'poor'

/** What a value of a metric is called. */
export function rateMetric(metric: Metric, value: number): Rating {
  const [good, poor] = VITAL_LIMITS[metric]
  if (value <= good) return 'good'
  return value > poor ? 'poor' : 'needs-improvement'
}

/** Days that can be asked about. */
export const INSIGHT_DAYS_MAX = 90

const count = v.number()
const interval = v.object({ low: v.number(), high: v.number() })
/** People (a random device each) that did a step and all steps before it, and how often the step was told. */
const step = v.object({ name: v.string(), people: count, events: count })
const arm = v.object({ variant: v.string(), seen: count, bought: count, share: v.number(), interval })

/** What was measured from `from` up to `to`, ms UTC. */
export const insightsReport = v.object({
  from: v.number(),
  to: v.number(),
  /** When the oldest event that is kept was, ms UTC; null without one. */
  kept_since: v.nullable(v.number()),
  /** Days of the span (UTC, as 2026-01-31) that had more events than are kept, and how many were left out. */
  left_out: v.array(v.object({ day: v.string(), events: count })),
  /** Hosts of the services that events and errors go to instead; null where they are kept here. */
  elsewhere: v.object({ events: v.nullable(v.string()), errors: v.nullable(v.string()) }),
  visits: count,
  visitors: count,
  views: count,
  /** `p75` by nearest rank, in the metric's unit; `good` of 0 to 1. */
  vitals: v.array(
    v.object({ route: v.string(), metric: v.picklist(METRICS), count, p75: v.number(), good: v.number() }),
  ),
  /** Time to the first live picture, ms; null without one. */
  first_picture: v.object({ count, p50: v.nullable(count), p75: v.nullable(count), p95: v.nullable(count) }),
  funnels: v.array(v.object({ name: v.string(), steps: v.array(step) })),
  /** Treatment less control; of each arm whoever saw it and, later, bought. */
  experiments: v.array(v.object({ flag: v.string(), arms: v.array(arm), difference: v.nullable(interval) })),
  /**
   * Reports of errors on those days by the release that told of them, `left_out` of them of kinds that
   * are not kept, and kinds that it was the last to tell of then.
   */
  errors: v.array(v.object({ build: v.string(), kinds: count, reports: count, left_out: count })),
})
export type InsightsReport = v.InferOutput<typeof insightsReport>

/** `GET /admin/v1/insights?days=N`. */
export const insightsAnswer = v.object({ code: v.literal(200), data: insightsReport })

/** What every reader has to know of these numbers. */
export const INSIGHTS_CAVEAT =
  'Days are of UTC, today among them as far as it has come. Unless TEST_TRACKING is off, a browser is measured in its first hour only; one that opted out, or that asks not to be tracked, never. Counts are of browsers; those of an experiment are of accounts, where somebody is signed in.'
