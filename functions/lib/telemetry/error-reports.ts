import { routePath } from 'hono/route'
import {
  toSentryEvent,
  buildErrorReport,
  isReportedPortal,
  type SentryClient,
} from '../../../contract/telemetry/sentry-client-options.ts'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import { maskValue, maskUrl } from '../../../contract/telemetry/mask-secrets.ts'
import {
  errorReports,
  REPORT_TIME_HEADER,
  formatSignedReport,
  type ErrorReport as Report,
} from '../../../contract/telemetry/telemetry-calls.ts'
import type { EdgeContext } from '../edge-context.ts'
import type { Settings } from '../settings.ts'
import { createSentryClient } from './sentry-client.ts'
import { buildSignedRequest, sendToSink, type SinkRequest } from './send-to-sink.ts'

const BUILD_FORMAT = /^[\da-f]{7,64}$/

export const isErrorReportingOn = (settings: Settings): boolean => isReportedPortal(settings.PORTAL_ORIGIN)

/**
 * Sends an error report to the external collector or, if none is configured, to the provider. Runs in the background
 * and logs a failure in one line.
 */
export function forwardReport(c: EdgeContext, { build: reportedBuild = '', ...report }: Report): void {
  const { settings } = c.var
  const build = BUILD_FORMAT.test(reportedBuild) ? reportedBuild : settings.BUILD_ID
  if (settings.errorDsn === null)
    return sendToSink(c, 'Error reports', buildSinkRequest(settings, report, build, Date.now()))
  sendToSentry(c, settings, settings.errorDsn, build, (sentry) => sentry.captureEvent(toSentryEvent(report)))
}

/**
 * Reports a failure of the edge. Names the route pattern instead of the URL, because a URL contains ids of people and
 * cameras.
 */
export function reportEdgeFailure(c: EdgeContext, error: Error): void {
  const settings = c.get('settings') as Settings | undefined
  if (!settings || !isErrorReportingOn(settings)) return
  const { requestId } = c.var
  const location = `${c.req.method} ${routePath(c, -1)}`
  const { BUILD_ID: build, errorDsn } = settings
  if (errorDsn === null)
    return forwardReport(c, buildErrorReport({ from: 'edge', where: location, requestId }, error, Date.now()))
  sendToSentry(c, settings, errorDsn, build, (sentry) => {
    sentry.setTag('from', 'edge')
    sentry.setTag('route', location)
    sentry.setTag(REQUEST_ID_HEADER, requestId)
    sentry.captureException(error)
  })
}

/** Matches a URL, or only its path, within a text. */
const URL_PATTERN = /(?:https?|wss?):\/\/[^\s"'<>()]+|(?<![\w:/.@-])\/[^\s"'<>()]+/gi
const TEXT_LENGTH_MAX = 8192
const FRAME_LENGTH_MAX = 1024

/**
 * Masks URLs within the texts of a page's report again, because the edge does not trust the page's masking. Truncates
 * the texts.
 */
export function maskReportUrls(report: Report): Report {
  const maskAndTruncate = (text: string, max: number) => text.replace(URL_PATTERN, (url) => maskUrl(url)).slice(0, max)
  return {
    ...report,
    errors: report.errors.map(({ name, message, frames }) => ({
      name,
      message: maskAndTruncate(message, TEXT_LENGTH_MAX),
      frames: frames.map((frame) => maskAndTruncate(frame, FRAME_LENGTH_MAX)),
    })),
    trail: report.trail.map(({ at, text }) => ({ at, text: maskAndTruncate(text, TEXT_LENGTH_MAX) })),
  }
}

function sendToSentry(
  c: EdgeContext,
  settings: Settings,
  dsn: string,
  build: string,
  capture: (sentry: SentryClient) => unknown,
): void {
  const waitUntil = (task: Promise<unknown>) => c.executionCtx.waitUntil(task)
  const task = createSentryClient(settings, dsn, waitUntil, build).then((sentry) => void capture(sentry))
  waitUntil(task.catch(() => console.error('Couldn’t send an error report to Sentry.')))
}

/** `now` in ms UTC. */
function buildSinkRequest(settings: Settings, report: Report, build: string, now: number): SinkRequest {
  const body = JSON.stringify(maskValue(report))
  const at = String(now)
  const request = buildSignedRequest(settings, errorReports.path, body, formatSignedReport(body, build, at))
  return { ...request, headers: { ...request.headers, 'app-version': build, [REPORT_TIME_HEADER]: at } }
}
