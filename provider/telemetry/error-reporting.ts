import { waitUntil } from 'cloudflare:workers'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import {
  collectorOptions,
  toCollectorEvent,
  failureReport,
  isReportedFrom,
  isTraced,
  createTransaction,
  type Collector,
  type Failure,
} from '../../contract/telemetry/sentry-client-options.ts'
import { REQUEST_ID_HEADER } from '../../contract/wire/call.ts'
import { mask } from '../../contract/telemetry/mask-secrets.ts'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import type { AppEnv, Env } from '../env.ts'
import { getRequestId } from './request-id.ts'
import { storeErrorReport } from './store-error-report.ts'

/** Not known to the type checker: the types of toucan-js declare a Worker's globals for the whole project, browser included. */
const load = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => Collector }>

/** Loaded when something is reported, so that nothing else pays for it. */
async function openCollector(env: Env, dsn: string, release = env.BUILD_ID): Promise<Collector> {
  const { Toucan } = await load()
  return new Toucan(collectorOptions({ dsn, environment: env.ENVIRONMENT, release, waitUntil }))
}

/** The pattern of the route, never the address: that holds ids and e-mails. */
const getRoutePattern = (c: Context<AppEnv>) => `${c.req.method} ${routePath(c, -1)}`

/** Sends what the provider failed at to the outside collector, else to its own sink. Nobody waits for it, and a failure is one line. */
export function reportFailure(c: Context<AppEnv>, error: Error, now: number): void {
  report(c.env, { from: 'provider', where: getRoutePattern(c), requestId: getRequestId(c) }, error, now)
}

/** The same of what no request waits for; `task` is a word for it. */
export function reportTaskFailure(env: Env, task: string, error: Error, now: number): void {
  report(env, { from: 'provider', where: task }, error, now)
}

/** Sends what a bridge of this version failed at the same way, and waits for its own sink. */
export async function reportBridgeFailure(env: Env, report: ErrorReport, version: string, now: number): Promise<void> {
  if (!isReportedFrom(env.PORTAL_ORIGIN)) return
  const masked = mask({ ...report, from: 'bridge' }) as ErrorReport
  const build = `bridge-${version}`
  if (!env.SENTRY_DSN) return storeErrorReport(env, masked, build, now)
  const collector = await openCollector(env, env.SENTRY_DSN, build)
  collector.captureEvent(toCollectorEvent(masked))
}

function report(env: Env, failure: Failure, error: Error, now: number): void {
  if (!isReportedFrom(env.PORTAL_ORIGIN)) return
  const task = env.SENTRY_DSN
    ? capture(env, failure, error, env.SENTRY_DSN)
    : storeErrorReport(env, failureReport(failure, error, now), env.BUILD_ID, now)
  waitUntil(task.catch(() => console.error('An error report was not taken.')))
}

async function capture(env: Env, { where, requestId }: Failure, error: Error, dsn: string): Promise<void> {
  const collector = await openCollector(env, dsn)
  collector.setTag('from', 'provider')
  collector.setTag('route', where)
  if (requestId !== undefined) collector.setTag(REQUEST_ID_HEADER, requestId)
  collector.captureException(error)
}

/** Tells the outside collector how long a traced request took (OPEN-138). */
export const tracing: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { env } = c
  const dsn = env.SENTRY_DSN
  if (!dsn || !isReportedFrom(env.PORTAL_ORIGIN) || !isTraced(Math.random())) return next()
  const begin = Date.now()
  await next()
  const transaction = createTransaction({
    name: getRoutePattern(c),
    status: c.res.status,
    begin,
    end: Date.now(),
    id: crypto.randomUUID(),
  })
  const task = openCollector(env, dsn).then((collector) => void collector.captureEvent(transaction))
  waitUntil(task.catch(() => console.error('A duration was not taken.')))
}
