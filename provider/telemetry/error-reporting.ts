import { waitUntil } from 'cloudflare:workers'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import {
  createSentryOptions,
  toSentryEvent,
  buildErrorReport,
  isReportedPortal,
  isSampledForTracing,
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
 * Imports toucan-js. The cast hides the module from the type checker. Its types would declare Worker globals for the
 * whole project, including browser code.
 */
const loadToucan = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => SentryClient }>

/**
 * Creates the client of the external collector. Imports its library on first use, so that requests without errors do
 * not load it.
 */
async function createCollectorClient(env: Env, dsn: string, release = env.BUILD_ID): Promise<SentryClient> {
  const { Toucan } = await loadToucan()
  return new Toucan(createSentryOptions({ dsn, environment: env.ENVIRONMENT, release, waitUntil }))
}

/** Returns the method and route pattern. Omits the URL, because URLs contain ids and email addresses. */
const getRoutePattern = (c: Context<AppEnv>) => `${c.req.method} ${routePath(c, -1)}`

/**
 * Reports a provider error to the external collector if one is configured; otherwise stores the error in D1. Does
 * nothing for a local portal (`isReportedPortal`). Runs in the background, and logs one line if the report fails.
 */
export function reportProviderFailure(c: Context<AppEnv>, error: Error, now: number): void {
  reportFailure(c.env, { from: 'provider', where: getRoutePattern(c), requestId: getRequestId(c) }, error, now)
}

/** Reports an error of the background task named `task`, like `reportProviderFailure`. */
export function reportTaskFailure(env: Env, task: string, error: Error, now: number): void {
  reportFailure(env, { from: 'provider', where: task }, error, now)
}

/**
 * Masks an error report of a bridge, and sends it to the external collector if one is configured; otherwise stores it
 * in D1. Does nothing for a local portal (`isReportedPortal`). `version`: version of the bridge.
 */
export async function reportBridgeFailure(env: Env, report: ErrorReport, version: string, now: number): Promise<void> {
  if (!isReportedPortal(env.PORTAL_ORIGIN)) return
  const masked = maskValue({ ...report, from: 'bridge' }) as ErrorReport
  const build = `bridge-${version}`
  if (!env.SENTRY_DSN) return storeErrorReport(env, masked, build, now)
  const collector = await createCollectorClient(env, env.SENTRY_DSN, build)
  collector.captureEvent(toSentryEvent(masked))
}

function reportFailure(env: Env, failure: FailureSource, error: Error, now: number): void {
  if (!isReportedPortal(env.PORTAL_ORIGIN)) return
  const task = env.SENTRY_DSN
    ? sendToCollector(env, failure, error, env.SENTRY_DSN)
    : storeErrorReport(env, buildErrorReport(failure, error, now), env.BUILD_ID, now)
  waitUntil(task.catch(() => console.error('An error report couldn’t be stored or sent.')))
}

async function sendToCollector(
  env: Env,
  { where, requestId }: FailureSource,
  error: Error,
  dsn: string,
): Promise<void> {
  const collector = await createCollectorClient(env, dsn)
  collector.setTag('from', 'provider')
  collector.setTag('route', where)
  if (requestId !== undefined) collector.setTag(REQUEST_ID_HEADER, requestId)
  collector.captureException(error)
}

/** Reports the durations of one in ten requests, chosen at random, to the external collector (OPEN-138). */
export const traceProviderRequest: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { env } = c
  const dsn = env.SENTRY_DSN
  if (!dsn || !isReportedPortal(env.PORTAL_ORIGIN) || !isSampledForTracing(Math.random())) return next()
  const begin = Date.now()
  await next()
  const transaction = createTransaction({
    name: getRoutePattern(c),
    status: c.res.status,
    begin,
    end: Date.now(),
    id: crypto.randomUUID(),
  })
  const task = createCollectorClient(env, dsn).then((collector) => void collector.captureEvent(transaction))
  waitUntil(task.catch(() => console.error('A request duration couldn’t be reported.')))
}
