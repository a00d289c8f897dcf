import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { isSampledForTracing, createTransaction } from '../../../contract/telemetry/sentry-client-options.ts'
import type { EdgeEnv } from '../edge-context.ts'
import { isErrorReportingOn } from './error-reports.ts'
import { createSentryClient } from './sentry-client.ts'

/**
 * Reports the duration of a random sample of requests to the external collector. A report names the route pattern,
 * never the URL.
 */
export const traceEdgeRequest: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  const { settings } = c.var
  if (settings.errorDsn === null || !isErrorReportingOn(settings) || !isSampledForTracing(Math.random())) return next()
  const begin = Date.now()
  await next()
  const transaction = createTransaction({
    name: `${c.req.method} ${routePath(c, -1)}`,
    status: c.res.status,
    begin,
    end: Date.now(),
    id: crypto.randomUUID(),
  })
  const waitUntil = (task: Promise<unknown>) => c.executionCtx.waitUntil(task)
  const task = createSentryClient(settings, settings.errorDsn, waitUntil).then(
    (sentry) => void sentry.captureEvent(transaction),
  )
  waitUntil(task.catch(() => console.error('A request duration couldn’t be reported.')))
}
