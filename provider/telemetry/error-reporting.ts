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
  type SentryClient,
  type FailureSource,
} from '../../contract/telemetry/sentry-client-options.ts'
import { REQUEST_ID_HEADER } from '../../contract/wire/call.ts'
import { maskValue } from '../../contract/telemetry/mask-secrets.ts'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import type { AppEnv, Env } from '../env.ts'
import { getRequestId } from './request-id.ts'
import { storeErrorReport } from './store-error-report.ts'

/**
 * Hides the module from the type checker: the types of toucan-js declare Worker globals for the whole project, browser
 * included.
 */
const load = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => SentryClient }>

/** Loads the client only when there is something to report, so that no other request pays for it. */
async function openCollector(env: Env, dsn: string, release = env.BUILD_ID): Promise<SentryClient> {
  const { Toucan } = await load()
  return new Toucan(collectorOptions({ dsn, environment: env.ENVIRONMENT, release, waitUntil }))
}

/** Returns the route pattern, never the URL, which contains ids and email addresses. */
const getRoutePattern = (c: Context<AppEnv>) => `${c.req.method} ${routePath(c, -1)}`

/**
 * Reports a provider error to the external collector if there is one, otherwise to the provider's own sink. Runs in the
 * background; if it fails, it logs one line.
 */
export function reportProviderFailure(c: Context<AppEnv>, error: Error, now: number): void {
  report(c.env, { from: 'provider', where: getRoutePattern(c), requestId: getRequestId(c) }, error, now)
}

/** Reports an error of a background task as `reportProviderFailure` does; `task` names the task. */
export function reportTaskFailure(env: Env, task: string, error: Error, now: number): void {
  report(env, { from: 'provider', where: task }, error, now)
}

/**
 * Reports an error of a bridge with this version as `reportProviderFailure` does, but awaits the provider's own sink.
 */
export async function reportBridgeFailure(env: Env, report: ErrorReport, version: string, now: number): Promise<void> {
  if (!isReportedFrom(env.PORTAL_ORIGIN)) return
  const masked = maskValue({ ...report, from: 'bridge' }) as ErrorReport
  const build = `bridge-${version}`
  if (!env.SENTRY_DSN) return storeErrorReport(env, masked, build, now)
  const collector = await openCollector(env, env.SENTRY_DSN, build)
  collector.captureEvent(toCollectorEvent(masked))
}

function report(env: Env, failure: FailureSource, error: Error, now: number): void {
  if (!isReportedFrom(env.PORTAL_ORIGIN)) return
  const task = env.SENTRY_DSN
    ? capture(env, failure, error, env.SENTRY_DSN)
    : storeErrorReport(env, failureReport(failure, error, now), env.BUILD_ID, now)
  waitUntil(task.catch(() => console.error('An error report was not taken.')))
}

async function capture(env: Env, { where, requestId }: FailureSource, error: Error, dsn: string): Promise<void> {
  const collector = await openCollector(env, dsn)
  collector.setTag('from', 'provider')
  collector.setTag('route', where)
  if (requestId !== undefined) collector.setTag(REQUEST_ID_HEADER, requestId)
  collector.captureException(error)
}

/** Reports the duration of a traced request to the external collector (OPEN-138). */
export const traceProviderRequest: MiddlewareHandler<AppEnv> = async (c, next) => {
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
