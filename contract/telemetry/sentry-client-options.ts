import { maskValue, maskText } from './mask-secrets.ts'
import { TRACES_SAMPLE_RATE, type ErrorReport } from './telemetry-calls.ts'

export type SentryEvent = Readonly<Record<string, unknown>>

/**
 * Client of the external error collector in `SENTRY_DSN`. Declares only the methods of toucan-js that both Workers use.
 */
export interface SentryClient {
  captureEvent(event: SentryEvent): string
  captureException(error: unknown): string
  setTag(name: string, value: string): unknown
}

/** Keeps a promise running after the response. */
export type WaitUntil = (task: Promise<unknown>) => void

/**
 * Limits of an error report: its stack frames, linked errors and text lengths in characters (REPORT-12 to REPORT-14).
 */
const FRAMES_MAX = 50
const FRAME_LENGTH_MAX = 1024
const LINKED_ERRORS_MAX = 5
const NAME_LENGTH_MAX = 200
const MESSAGE_LENGTH_MAX = 8192
const PAGE_LENGTH_MAX = 2048

/** Returns false if the portal's hostname contains `local`; such a portal sends no error reports (OPEN-111). */
export const isReportedPortal = (portalOrigin: string): boolean => !new URL(portalOrigin).hostname.includes('local')

/** Returns true if a request is sampled: one request in ten (OPEN-138). `random`: random number from 0 to 1. */
export const isSampledForTracing = (random: number): boolean => random < TRACES_SAMPLE_RATE

/** Returns the client options. The client masks all data of an event, because the event goes to another company. */
export function createSentryOptions(options: {
  dsn: string
  environment: string
  release: string
  waitUntil: WaitUntil
}) {
  const { waitUntil, ...clientSettings } = options
  const maskEvent = ({ sdkProcessingMetadata: _internal, ...event }: SentryEvent): unknown => maskValue(event)
  return {
    ...clientSettings,
    context: { waitUntil },
    tracesSampleRate: TRACES_SAMPLE_RATE,
    maxBreadcrumbs: 100,
    beforeSend: maskEvent,
    beforeSendTransaction: maskEvent,
  }
}

/**
 * Creates a transaction event with the duration of one request. `name`: the route pattern, never the URL. Times in ms
 * UTC. `id`: a UUID.
 */
export function createTransaction(request: {
  name: string
  status: number
  begin: number
  end: number
  id: string
}): SentryEvent {
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

/** Program and task that failed. `where`: path, route, or name of the task. */
export interface FailureSource {
  readonly from: 'edge' | 'provider' | 'bridge'
  readonly where: string
  readonly requestId?: string | undefined
}

/**
 * Returns the report of a failure and its causes for the provider's own sink: masked, then cut to the report limits.
 * `at` in ms UTC.
 */
export function buildErrorReport({ from, where, requestId }: FailureSource, error: Error, at: number): ErrorReport {
  const errors = listErrorChain(error).map(({ name, message, stack = '' }) => ({
    name: maskText(name).slice(0, NAME_LENGTH_MAX),
    message: maskText(message).slice(0, MESSAGE_LENGTH_MAX),
    frames: listStackLines(stack),
  }))
  const request = requestId === undefined ? {} : { request_id: requestId }
  return { level: 'error', from, ...request, at, page: maskText(where).slice(0, PAGE_LENGTH_MAX), errors, trail: [] }
}

function listErrorChain(error: Error): Error[] {
  const chain = [error]
  for (let next = error.cause; next instanceof Error && chain.length <= LINKED_ERRORS_MAX; next = next.cause)
    chain.push(next)
  return chain
}

const listStackLines = (stack: string): string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && line.length <= FRAME_LENGTH_MAX)
    .slice(0, FRAMES_MAX)
    .map((line) => maskText(line.trim()))

/** Returns a report in the Sentry format: causes first, and each stack with its outermost frame first. */
export function toSentryEvent(report: ErrorReport): SentryEvent {
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

/** Parses `at f (https://…/a.js:1:2)` of Chromium, `f@https://…/a.js:1:2` of other browsers, or a bare position. */
function parseFrame(line: string): object {
  const [, chromium, otherBrowsers, filename, row, column] =
    /^(?:at (?:(.+?) \()?|(.*?)@)?(\S+?):(\d+):(\d+)\)?$/.exec(line) ?? []
  if (filename === undefined) return { function: line }
  return {
    function: chromium || otherBrowsers || '?',
    filename,
    lineno: Number(row),
    colno: Number(column),
    in_app: true,
  }
}
