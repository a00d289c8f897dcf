import { mask, maskText } from './mask-secrets.ts'
import { TRACES_SAMPLE_RATE, type ErrorReport } from './telemetry-calls.ts'

/** An event of the Sentry protocol. */
export type CollectorEvent = Readonly<Record<string, unknown>>

/** The client of the outside collector that `SENTRY_DSN` names: the part of toucan-js that both Workers use. */
export interface Collector {
  captureEvent(event: CollectorEvent): string
  captureException(error: unknown): string
  setTag(name: string, value: string): unknown
}

/** Promises that outlive the answer. */
export type WaitUntil = (task: Promise<unknown>) => void

/** Limits of a report, and of the text in it (REPORT-12 to REPORT-14). */
const FRAMES_MAX = 50
const FRAME_MAX = 1024
const LINKED_MAX = 5
const NAME_MAX = 200
const MESSAGE_MAX = 8192
const WHERE_MAX = 2048

/** Reports are off where the portal's host contains `local` (OPEN-111). */
export const isReportedFrom = (portalOrigin: string): boolean => !new URL(portalOrigin).hostname.includes('local')

/** Whether a request that drew `random` (0 to 1) is one of the tenth that is traced (OPEN-138). */
export const isTraced = (random: number): boolean => random < TRACES_SAMPLE_RATE

/** How a client is made. What leaves for another company has passed the masker as a whole. */
export function collectorOptions(run: { dsn: string; environment: string; release: string; waitUntil: WaitUntil }) {
  const { waitUntil, ...named } = run
  const masked = ({ sdkProcessingMetadata: _internal, ...event }: CollectorEvent): unknown => mask(event)
  return {
    ...named,
    context: { waitUntil },
    tracesSampleRate: TRACES_SAMPLE_RATE,
    maxBreadcrumbs: 100,
    beforeSend: masked,
    beforeSendTransaction: masked,
  }
}

/** How long a request took: its route's pattern as `name`, never its address; times in ms UTC, `id` a UUID. */
export function createTransaction(request: {
  name: string
  status: number
  begin: number
  end: number
  id: string
}): CollectorEvent {
  const { name, status, begin, end, id } = request
  const hex = id.replaceAll('-', '')
  return {
    type: 'transaction',
    transaction: name,
    start_timestamp: begin / 1000,
    timestamp: end / 1000,
    spans: [],
    contexts: {
      trace: {
        trace_id: hex,
        span_id: hex.slice(16),
        op: 'http.server',
        data: { 'http.response.status_code': status },
      },
    },
  }
}

/** Who failed at what: `where` is a path, a route or a word for the task. */
export interface Failure {
  readonly from: 'edge' | 'provider' | 'bridge'
  readonly where: string
  readonly requestId?: string | undefined
}

/**
 * What the portal itself failed at and what caused it, as the provider's own sink keeps it: masked, then cut to what a report may
 * hold. `at` in ms UTC.
 */
export function failureReport({ from, where, requestId }: Failure, error: Error, at: number): ErrorReport {
  const errors = listErrorChain(error).map(({ name, message, stack = '' }) => ({
    name: maskText(name).slice(0, NAME_MAX),
    message: maskText(message).slice(0, MESSAGE_MAX),
    frames: listStackLines(stack),
  }))
  const request = requestId === undefined ? {} : { request_id: requestId }
  return { level: 'error', from, ...request, at, page: maskText(where).slice(0, WHERE_MAX), errors, trail: [] }
}

/** The error and at most 5 that it was caused by. */
function listErrorChain(error: Error): Error[] {
  const chain = [error]
  for (let next = error.cause; next instanceof Error && chain.length <= LINKED_MAX; next = next.cause) chain.push(next)
  return chain
}

/** What stands above the frames is the message, of as many lines as it has. */
const listStackLines = (stack: string): string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && line.length <= FRAME_MAX)
    .slice(0, FRAMES_MAX)
    .map((line) => maskText(line.trim()))

/** A report in the collector's shape: causes first, and in each stack the outermost frame first. */
export function toCollectorEvent(report: ErrorReport): CollectorEvent {
  const { from = 'browser', request_id } = report
  return {
    platform: 'javascript',
    level: report.level,
    timestamp: report.at / 1000,
    request: { url: report.page },
    tags: { from, ...(request_id === undefined ? {} : { request_id }) },
    breadcrumbs: report.trail.map(({ at, text }) => ({ timestamp: at / 1000, message: text })),
    exception: {
      values: report.errors.toReversed().map(({ name, message, frames }) => ({
        type: name,
        value: message,
        stacktrace: { frames: frames.toReversed().map(parseFrame) },
      })),
    },
  }
}

/** `at f (https://…/a.js:1:2)` as Chromium writes it, `f@https://…/a.js:1:2` as the others do, or the place alone. */
function parseFrame(line: string): object {
  const [, chromium, others, filename, row, column] =
    /^(?:at (?:(.+?) \()?|(.*?)@)?(\S+?):(\d+):(\d+)\)?$/.exec(line) ?? []
  if (filename === undefined) return { function: line }
  return { function: chromium || others || '?', filename, lineno: Number(row), colno: Number(column), in_app: true }
}
