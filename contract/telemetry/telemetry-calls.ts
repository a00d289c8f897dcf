import * as v from 'valibot'
import { call, declareUnusedCall } from '../wire/call.ts'
import { ms, text } from '../wire/envelope.ts'
import { PERSON, REVENUE_TOKEN } from './visits.ts'

/** Third-party traffic, sent to first-party sinks of the edge at the paths that the libraries ask for. */
const via = { via: 'sink' } as const
const anything = v.unknown()
/** A batch of @amplitude/analytics-browser; answered 200 with `code`. */
export const analyticsBatch = call(
  'CALL-67',
  'POST',
  '/t/events',
  'web-backend',
  { request: v.object({ api_key: text(64), events: v.array(anything) }), response: v.object({ code: v.literal(200) }) },
  via,
)
/** Query `config_group=browser`. */
export const analyticsRemoteConfig = call(
  'CALL-68',
  'GET',
  '/t/config/{key}',
  'web-backend',
  { request: anything, response: v.object({ configs: anything }) },
  via,
)
/** Variants of the person whom the header `x-amp-exp-user` names, with `Authorization: Api-Key …`. */
export const experimentVariants = call(
  'CALL-69',
  'GET',
  '/t/experiment/sdk/v2/vardata',
  'web-backend',
  { request: anything, response: v.record(v.string(), anything) },
  via,
)
export const experimentFlags = call(
  'CALL-70',
  'GET',
  '/t/experiment/sdk/v2/flags',
  'web-backend',
  { request: anything, response: v.array(anything) },
  via,
)
export const errorReports = declareUnusedCall('CALL-71', 'POST', '/t/errors', 'web-backend', via)

/** Share of requests that are traced (REPORT-10). */
export const TRACES_SAMPLE_RATE = 0.1

const line = text(1024)
/** One error, as a page sends it to the edge and the edge to its provider, or as a Worker or a bridge tells of its own; masked. */
export const errorReport = v.object({
  level: v.picklist(['error', 'warning']),
  /** Who failed; reports of earlier versions do not say it. */
  from: v.optional(v.picklist(['browser', 'edge', 'provider', 'bridge'])),
  /** The failed request, as `REQUEST_ID_HEADER` names it, where there is one. */
  request_id: v.optional(text(64)),
  /** The build that failed, where the page says it: one that was opened before a deployment is of an earlier one. */
  build: v.optional(text(64)),
  at: ms,
  page: text(2048),
  /** The error itself, then what caused it: at most 5 more. Frames innermost first. */
  errors: v.pipe(
    v.array(v.object({ name: text(200), message: text(8192), frames: v.pipe(v.array(line), v.maxLength(50)) })),
    v.minLength(1),
    v.maxLength(6),
  ),
  trail: v.pipe(v.array(v.object({ at: ms, text: text(8192) })), v.maxLength(100)),
})
export type ErrorReport = v.InferOutput<typeof errorReport>

/** When the edge hands a report on, ms UTC in digits. */
export const REPORT_TIME_HEADER = 'timestamp'
/** How far from the provider's clock that may be: what is older was sent by somebody who kept it. */
export const REPORT_AGE_MAX_MS = 300_000

/** Says that a report is the edge's: lower-case hex HMAC-SHA-256 by `MEDIA_KEY` over this. `build` and `at` as their headers say. */
export const reportContent = (body: string, build: string, at: string): string =>
  `error report\n${build}\n${at}\n${body}`

/** One kind of error: how often and when it was seen, and its newest report. */
export const errorKind = v.object({
  count: v.number(),
  first_at: ms,
  last_at: ms,
  build: v.string(),
  report: errorReport,
})
export type ErrorKind = v.InferOutput<typeof errorKind>

/** `GET /admin/v1/errors`, for the operator: one row per kind of error, the newest first. */
export const errorList = v.object({
  code: v.literal(200),
  data: v.object({ errors: v.array(errorKind) }),
})

/** Events that the portal tells of itself, beside those that the library captures by itself. */
export const EVENTS = {
  /** `ms`: from the navigation to the first live picture. */
  firstPicture: 'First Picture',
  signInBegun: 'Sign-in Begun',
  signedIn: 'Signed In',
  priceShown: 'Price Shown',
  payPressed: 'Pay Pressed',
  bought: 'Bought',
} as const

/** What pages mark by `performance.mark`; what measures them reads it there, whenever it comes. */
export type MarkName = (typeof EVENTS)['firstPicture' | 'priceShown' | 'payPressed' | 'bought'] | '$exposure'

/** One event as the edge hands it on and the provider keeps it: nothing but what stands here outlives the edge. */
export const measuredEvent = v.object({
  /** Unique; the same one twice counts once. */
  id: text(64),
  type: text(80),
  at: ms,
  /** Begin of the browser's session, ms UTC. */
  session: v.number(),
  device: text(64),
  /** '' for somebody who is not signed in. */
  user: text(64),
  /** Pattern of the page, e.g. `/account/services/:id`, never an address. */
  route: text(120),
  build: text(64),
  /** Numbers and words of known names only (`MEASURED_PROPS`). */
  props: v.record(text(40), v.union([text(120), v.number()])),
})
export type MeasuredEvent = v.InferOutput<typeof measuredEvent>

/** Names of properties that are kept; the edge drops all others. */
export const MEASURED_PROPS = [
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

/** Events in one request at most, from a page and from the edge. */
export const MEASURED_BATCH_MAX = 500
/** What the edge hands on in one request. */
export const measuredBatch = v.object({
  events: v.pipe(v.array(measuredEvent), v.minLength(1), v.maxLength(MEASURED_BATCH_MAX)),
})

/** Says that a batch is the edge's: lower-case hex HMAC-SHA-256 by `MEDIA_KEY` over this. */
export const batchContent = (body: string): string => `measured events\n${body}`

const person = v.pipe(v.string(), v.regex(PERSON))
/** What a page sends to `REVENUE_PATH`: no other field is taken. */
export const revenueStart = v.strictObject({ token: v.pipe(v.string(), v.regex(REVENUE_TOKEN)), person })
/** What the edge hands on of it. */
export const revenueVisit = v.strictObject({ person })

/** The one experiment of the portal, as the operator names it in the setting `EXPERIMENT`: its key; '' has none. */
export const VARIANTS = ['control', 'treatment'] as const
export type Variant = (typeof VARIANTS)[number]
/** Key of the sample experiment of local runs and previews: both variants look the same (OPEN-165). */
export const SAMPLE_EXPERIMENT = 'sample'
