import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { TRACES_SAMPLE_RATE } from '../../contract/telemetry.ts'
import type { EdgeEnv } from './context.ts'
import { isReporting } from './reports.ts'
import { openSentry } from './sentry.ts'

/** Whether a request that drew `random` (0 to 1) is one of the tenth that is traced. */
export const isTraced = (random: number): boolean => random < TRACES_SAMPLE_RATE

const hex = (bytes: number): string =>
  crypto.getRandomValues(new Uint8Array(bytes)).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')

/** Tells the outside collector how long a traced request took: its route's pattern, never its address. */
export const tracing: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  const { settings } = c.var
  if (settings.errorDsn === null || !isReporting(settings) || !isTraced(Math.random())) return next()
  const begin = Date.now()
  await next()
  const end = Date.now()
  const waitUntil = (task: Promise<unknown>) => c.executionCtx.waitUntil(task)
  const { status } = c.res
  const name = `${c.req.method} ${routePath(c, -1)}`
  waitUntil(
    openSentry(settings, settings.errorDsn, waitUntil).then((sentry) =>
      sentry.captureEvent({
        type: 'transaction',
        transaction: name,
        start_timestamp: begin / 1000,
        timestamp: end / 1000,
        spans: [],
        contexts: {
          trace: {
            trace_id: hex(16),
            span_id: hex(8),
            op: 'http.server',
            data: { 'http.response.status_code': status },
          },
        },
      }),
    ),
  )
}
