import { eventOf, failureReport, isReportedFrom } from '../../contract/collector.ts'
import { REQUEST_ID_HEADER } from '../../contract/call.ts'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { mask } from '../../contract/mask.ts'
import { errorReports, reportContent, type ErrorReport } from '../../contract/telemetry.ts'
import { hmacHex } from './bytes.ts'
import type { EdgeContext } from './context.ts'
import type { Settings } from './env.ts'
import { openSentry } from './sentry.ts'

const SINK_TIMEOUT_MS = 4000

export const isReporting = (settings: Settings): boolean => isReportedFrom(settings.PORTAL_ORIGIN)

/** Sends a page's report to the outside collector, else to the provider's sink. Nobody waits for it, and a failure is one line. */
export function forwardReport(c: EdgeContext, report: ErrorReport): void {
  const { settings } = c.var
  const waitUntil = (task: Promise<unknown>) => c.executionCtx.waitUntil(task)
  const { errorDsn } = settings
  const task =
    errorDsn === null
      ? sendToProvider(settings, report)
      : openSentry(settings, errorDsn, waitUntil).then((sentry) => void sentry.captureEvent(eventOf(report)))
  waitUntil(task.catch(() => console.error('An error report was not taken.')))
}

/** Reports what the edge itself failed at. */
export function reportFailure(c: EdgeContext, error: Error): void {
  const settings = c.get('settings') as Settings | undefined
  if (!settings || !isReporting(settings)) return
  const { errorDsn } = settings
  const { requestId } = c.var
  if (errorDsn === null)
    return forwardReport(c, failureReport({ from: 'edge', where: c.req.path, requestId }, error, Date.now()))
  const waitUntil = (task: Promise<unknown>) => c.executionCtx.waitUntil(task)
  waitUntil(
    openSentry(settings, errorDsn, waitUntil).then((sentry) => {
      sentry.setTag('from', 'edge')
      sentry.setTag('route', `${c.req.method} ${c.req.path}`)
      sentry.setTag(REQUEST_ID_HEADER, requestId)
      sentry.captureException(error)
    }),
  )
}

async function sendToProvider(settings: Settings, report: ErrorReport): Promise<void> {
  const body = JSON.stringify(mask(report))
  const answer = await fetch(settings.PROVIDER_ORIGIN + errorReports.path, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(SINK_TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      'app-version': settings.BUILD_ID,
      [SIGNATURE_HEADER]: hmacHex(settings.MEDIA_KEY, reportContent(body)),
    },
    body,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The sink answered ${answer.status}.`)
}
