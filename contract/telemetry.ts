import * as v from 'valibot'
import { later } from './call.ts'
import { ms, text } from './envelope.ts'

/** Third-party traffic, sent to first-party sinks of the edge. */
const via = { via: 'sink' } as const
export const analyticsBatch = later('CALL-67', 'POST', '/t/analytics', 'web-backend', via)
export const analyticsRemoteConfig = later('CALL-68', 'GET', '/t/analytics/config', 'web-backend', via)
export const experimentVariants = later('CALL-69', 'GET', '/t/experiment/vardata', 'web-backend', via)
export const experimentFlags = later('CALL-70', 'GET', '/t/experiment/flags', 'web-backend', via)
export const errorReports = later('CALL-71', 'POST', '/t/errors', 'web-backend', via)

/** Share of requests that are traced (REPORT-10). */
export const TRACES_SAMPLE_RATE = 0.1

const line = text(1024)
/** One browser error, as the page sends it to the edge and the edge to its provider; masked on both ways. */
export const errorReport = v.object({
  level: v.picklist(['error', 'warning']),
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

/** Says that a report is the edge's: lower-case hex HMAC-SHA-256 by `MEDIA_KEY` over this. */
export const reportContent = (body: string): string => `error report\n${body}`

/** `GET /admin/v1/errors`, for the operator: one row per kind of error, the newest first. */
export const errorList = v.object({
  code: v.literal(200),
  data: v.object({
    errors: v.array(v.object({ count: v.number(), first_at: ms, last_at: ms, build: v.string(), report: errorReport })),
  }),
})
