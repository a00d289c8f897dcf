import { routePath } from 'hono/route'
import {
  toCollectorEvent,
  failureReport,
  isReportedFrom,
  type SentryClient,
} from '../../../contract/telemetry/sentry-client-options.ts'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import { maskValue, maskUrl } from '../../../contract/telemetry/mask-secrets.ts'
import {
  errorReports,
  REPORT_TIME_HEADER,
  reportContent,
  type ErrorReport as Report,
} from '../../../contract/telemetry/telemetry-calls.ts'
import type { EdgeContext } from '../edge-context.ts'
import type { Settings } from '../settings.ts'
import { openSentry } from './sentry-client.ts'
import { forProvider, sendToSink, type SinkRequest } from './send-to-sink.ts'

const BUILD = /^[\da-f]{7,64}$/

export const isErrorReportingOn = (settings: Settings): boolean => isReportedFrom(settings.PORTAL_ORIGIN)

/**
 * Sends a report to the external collector, else to the provider's sink. Runs in the background; a failure is one log
 * line.
 */
export function forwardReport(c: EdgeContext, { build: reportedBuild = '', ...report }: Report): void {
  const { settings } = c.var
  const build = BUILD.test(reportedBuild) ? reportedBuild : settings.BUILD_ID
  if (settings.errorDsn === null)
    return sendToSink(c, 'Error reports', buildSinkRequest(settings, report, build, Date.now()))
  sendToSentry(c, settings, settings.errorDsn, build, (sentry) => sentry.captureEvent(toCollectorEvent(report)))
}

/** Reports a failure of the edge by route pattern: a URL contains ids of people and cameras. */
export function reportEdgeFailure(c: EdgeContext, error: Error): void {
  const settings = c.get('settings') as Settings | undefined
  if (!settings || !isErrorReportingOn(settings)) return
  const { requestId } = c.var
  const where = `${c.req.method} ${routePath(c, -1)}`
  const { BUILD_ID: build, errorDsn } = settings
  if (errorDsn === null) return forwardReport(c, failureReport({ from: 'edge', where, requestId }, error, Date.now()))
  sendToSentry(c, settings, errorDsn, build, (sentry) => {
    sentry.setTag('from', 'edge')
    sentry.setTag('route', where)
    sentry.setTag(REQUEST_ID_HEADER, requestId)
    sentry.captureException(error)
  })
}

/** Matches a URL, or only its path, within a text. */
const ADDRESS = /(?:https?|wss?):\/\/[^\s"'<>()]+|(?<![\w:/.@-])\/[^\s"'<>()]+/gi
const TEXT_MAX = 8192
const FRAME_MAX = 1024

/** Masks URLs within the texts of a page's report, no matter what the page has masked. */
export function withoutAddresses(report: Report): Report {
  const clean = (text: string, max: number) => text.replace(ADDRESS, (address) => maskUrl(address)).slice(0, max)
  return {
    ...report,
    errors: report.errors.map(({ name, message, frames }) => ({
      name,
      message: clean(message, TEXT_MAX),
      frames: frames.map((frame) => clean(frame, FRAME_MAX)),
    })),
    trail: report.trail.map(({ at, text }) => ({ at, text: clean(text, TEXT_MAX) })),
  }
}

function sendToSentry(
  c: EdgeContext,
  settings: Settings,
  dsn: string,
  build: string,
  tell: (sentry: SentryClient) => unknown,
): void {
  const waitUntil = (task: Promise<unknown>) => c.executionCtx.waitUntil(task)
  const task = openSentry(settings, dsn, waitUntil, build).then((sentry) => void tell(sentry))
  waitUntil(task.catch(() => console.error('An error report was not taken.')))
}

/** `now` in ms UTC. */
function buildSinkRequest(settings: Settings, report: Report, build: string, now: number): SinkRequest {
  const body = JSON.stringify(maskValue(report))
  const at = String(now)
  const parcel = forProvider(settings, errorReports.path, body, reportContent(body, build, at))
  return { ...parcel, headers: { ...parcel.headers, 'app-version': build, [REPORT_TIME_HEADER]: at } }
}
