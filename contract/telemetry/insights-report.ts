import * as v from 'valibot'
import { METRICS } from './analytics-events.ts'

export const INSIGHT_DAYS_MAX = 90

const count = v.number()
const interval = v.object({ low: v.number(), high: v.number() })
/**
 * `people`: number of browsers (distinct device ids) that completed this step and all previous steps. `events`: number
 * of events of this step.
 */
const step = v.object({ name: v.string(), people: count, events: count })
const variantResult = v.object({ variant: v.string(), seen: count, bought: count, share: v.number(), interval })

/** Report on the time from `from` (inclusive) to `to` (exclusive), ms UTC. */
export const insightsReport = v.object({
  from: v.number(),
  to: v.number(),
  /** Time of the oldest stored event, ms UTC; null if there is none. */
  kept_since: v.nullable(v.number()),
  /** Days (UTC, such as 2026-01-31) that reached the maximum of stored events, with the number of dropped events. */
  left_out: v.array(v.object({ day: v.string(), events: count })),
  /** Hosts of the external services that receive analytics events and error reports. null: the provider stores them. */
  elsewhere: v.object({ events: v.nullable(v.string()), errors: v.nullable(v.string()) }),
  /** 1 in `sample_rate` browsers is counted for `visits`, `visitors`, `views` and `vitals`; 1: all browsers. */
  sample_rate: count,
  /** With a `sample_rate` above 1, these three counts are estimates: counts of the sample, times `sample_rate`. */
  visits: count,
  visitors: count,
  views: count,
  /** `p75`: 75th percentile by nearest rank, in the metric's unit. `good`: share of good values, from 0 to 1. */
  vitals: v.array(
    v.object({ route: v.string(), metric: v.picklist(METRICS), count, p75: v.number(), good: v.number() }),
  ),
  /** Time to the first live frame, ms; null without data. */
  first_picture: v.object({ count, p50: v.nullable(count), p75: v.nullable(count), p95: v.nullable(count) }),
  funnels: v.array(v.object({ name: v.string(), steps: v.array(step) })),
  /**
   * `difference`: confidence interval of the share of buyers in the treatment minus the share in the control; null if
   * an arm has no people. `bought`: people who bought after they saw the variant. People who saw both variants do not
   * count. A person is an account or, without a sign-in, a browser.
   */
  experiments: v.array(v.object({ flag: v.string(), arms: v.array(variantResult), difference: v.nullable(interval) })),
  /**
   * Error reports by the build that sent them. `kinds`: error groups last reported by this build. `left_out`: reports
   * of error groups that are not stored.
   */
  errors: v.array(v.object({ build: v.string(), kinds: count, reports: count, left_out: count })),
})
export type InsightsReport = v.InferOutput<typeof insightsReport>

/** `GET /admin/v1/insights?days=N`. */
export const insightsResponse = v.object({ code: v.literal(200), data: insightsReport })

export const INSIGHTS_CAVEAT =
  'Days are in UTC and include today so far. Unless TEST_TRACKING is off, browsers are measured only in their first hour. Browsers that opted out or ask not to be tracked are never measured. Counts are for browsers, not people. For people who are logged in, experiments count accounts instead.'
