import * as v from 'valibot'
import { call, declareUnusedCall } from '../wire/call.ts'
import { timestampMs, text } from '../wire/envelope.ts'
import { PERSON_ID_FORMAT, REVENUE_TOKEN_FORMAT } from './visits.ts'

/** Options of the calls that analytics and error reporting send to first-party sinks of the edge. */
const sinkOptions = { via: 'sink' } as const
const unknownValue = v.unknown()
/**
 * Batch of events, in the format of @amplitude/analytics-browser. The edge rejects more than `ANALYTICS_BATCH_MAX`
 * events with 413.
 */
export const analyticsBatch = call(
  'CALL-67',
  'POST',
  '/t/events',
  'web-backend',
  {
    request: v.object({ api_key: text(64), events: v.array(unknownValue) }),
    response: v.object({ code: v.literal(200) }),
  },
  sinkOptions,
)
/** Remote configuration of analytics. The query is `config_group=browser`. */
export const analyticsRemoteConfig = call(
  'CALL-68',
  'GET',
  '/t/config/{key}',
  'web-backend',
  { request: unknownValue, response: v.object({ configs: unknownValue }) },
  sinkOptions,
)
/** Returns the variants for the user or device id in `x-amp-exp-user`. Requires `Authorization: Api-Key …`. */
export const experimentVariants = call(
  'CALL-69',
  'GET',
  '/t/experiment/sdk/v2/vardata',
  'web-backend',
  { request: unknownValue, response: v.record(v.string(), unknownValue) },
  sinkOptions,
)
export const experimentFlags = call(
  'CALL-70',
  'GET',
  '/t/experiment/sdk/v2/flags',
  'web-backend',
  { request: unknownValue, response: v.array(unknownValue) },
  sinkOptions,
)
export const errorReports = declareUnusedCall('CALL-71', 'POST', '/t/errors', 'web-backend', sinkOptions)

/** Share of requests that are traced (REPORT-10). */
export const TRACES_SAMPLE_RATE = 0.1

const reportLine = text(1024)
/**
 * One masked error report. A page sends its reports through the edge to the provider; Workers and bridges report their
 * own errors.
 */
export const errorReport = v.object({
  level: v.picklist(['error', 'warning']),
  /** Program that failed; missing in reports of earlier versions. */
  from: v.optional(v.picklist(['browser', 'edge', 'provider', 'bridge'])),
  /** Id of the failed request, as in `REQUEST_ID_HEADER`; missing if no request failed. */
  request_id: v.optional(text(64)),
  /** Build that failed, if the page reports it. A page opened before a deployment runs an earlier build. */
  build: v.optional(text(64)),
  at: timestampMs,
  page: text(2048),
  /** The error, followed by at most 5 causes. Each lists its stack frames with the innermost first. */
  errors: v.pipe(
    v.array(v.object({ name: text(200), message: text(8192), frames: v.pipe(v.array(reportLine), v.maxLength(50)) })),
    v.minLength(1),
    v.maxLength(6),
  ),
  trail: v.pipe(v.array(v.object({ at: timestampMs, text: text(8192) })), v.maxLength(100)),
})
export type ErrorReport = v.InferOutput<typeof errorReport>

/** Header with the time at which the edge forwards a report, ms UTC in digits. */
export const REPORT_TIME_HEADER = 'timestamp'
/**
 * Maximum difference, in ms, between `REPORT_TIME_HEADER` and the provider's clock. The provider rejects a report with
 * a larger difference, because the report may be a replay.
 */
export const REPORT_AGE_MAX_MS = 300_000

/**
 * Returns the text that the edge signs for an error report. The signature is lower-case hex HMAC-SHA-256 with
 * `MEDIA_KEY`, and proves that the edge sent the report. `build`: value of the header `app-version`. `at`: value of
 * `REPORT_TIME_HEADER`.
 */
export const formatSignedReport = (body: string, build: string, at: string): string =>
  `error report\n${build}\n${at}\n${body}`

export const errorGroup = v.object({
  count: v.number(),
  first_at: timestampMs,
  last_at: timestampMs,
  build: v.string(),
  report: errorReport,
})
export type ErrorGroup = v.InferOutput<typeof errorGroup>

/** `GET /admin/v1/errors`, for the operator: one row per error group, most recently reported first. */
export const errorList = v.object({
  code: v.literal(200),
  data: v.object({ errors: v.array(errorGroup) }),
})

/** Analytics events that the portal defines, in addition to the automatic ones. */
export const ANALYTICS_EVENTS = {
  /** `ms`: from the navigation to the first live frame. */
  firstPicture: 'First Picture',
  signInBegun: 'Sign-in Begun',
  signedIn: 'Signed In',
  priceShown: 'Price Shown',
  payPressed: 'Pay Pressed',
  bought: 'Bought',
} as const

/** Names that pages pass to `performance.mark`. Analytics may load later and still read these marks. */
export type MarkName = (typeof ANALYTICS_EVENTS)['firstPicture' | 'priceShown' | 'payPressed' | 'bought'] | '$exposure'

/** Analytics event as the edge forwards it and the provider stores it. The edge drops all other fields. */
export const storedAnalyticsEvent = v.object({
  /** Unique; a duplicate counts once. */
  id: text(64),
  type: text(80),
  at: timestampMs,
  /** Start of the browser's session, ms UTC. */
  session: v.number(),
  device: text(64),
  /** '' if not signed in. */
  user: text(64),
  /** Route pattern of the page, such as `/account/services/:id`, never a URL. */
  route: text(120),
  build: text(64),
  /** Properties: only numbers and words, and only under the names in `ANALYTICS_PROPS`. */
  props: v.record(text(40), v.union([text(120), v.number()])),
})
export type StoredAnalyticsEvent = v.InferOutput<typeof storedAnalyticsEvent>

/** Names of stored properties; the edge drops all others. */
export const ANALYTICS_PROPS = [
  'ms',
  'metric',
  'value',
  'rating',
  'status',
  'method',
  'target',
  'flag',
  'variant',
  'plan',
  'period',
] as const

export const ANALYTICS_BATCH_MAX = 500
export const analyticsEventBatch = v.object({
  /** The edge forwarded sampled events (`SAMPLED_EVENT_TYPES`) of 1 in `sample_rate` browsers only. */
  sample_rate: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  events: v.pipe(v.array(storedAnalyticsEvent), v.minLength(1), v.maxLength(ANALYTICS_BATCH_MAX)),
})

/**
 * Returns the text that the edge signs for a batch. The signature is lower-case hex HMAC-SHA-256 with `MEDIA_KEY`, and
 * proves that the edge sent the batch.
 */
export const formatSignedBatch = (body: string): string => `measured events\n${body}`

const person = v.pipe(v.string(), v.regex(PERSON_ID_FORMAT))
/** Body of a page's request to `REVENUE_PATH`; other fields are rejected. */
export const revenueVisitReport = v.strictObject({ token: v.pipe(v.string(), v.regex(REVENUE_TOKEN_FORMAT)), person })
export const revenueVisit = v.strictObject({ person })

/**
 * Variants of the portal's only experiment. The setting `EXPERIMENT` is the key of the experiment; '' means no
 * experiment.
 */
export const VARIANTS = ['control', 'treatment'] as const
export type Variant = (typeof VARIANTS)[number]
/** Key of the sample experiment of local runs and previews: both variants look the same (OPEN-165). */
export const SAMPLE_EXPERIMENT = 'sample'
