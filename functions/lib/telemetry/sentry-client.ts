import {
  collectorOptions,
  type SentryClient,
  type WaitUntil,
} from '../../../contract/telemetry/sentry-client-options.ts'
import type { Settings } from '../settings.ts'

/**
 * The import is hidden from the type checker, because the types of toucan-js declare a Worker's globals for the whole
 * project, browser code included.
 */
const load = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => SentryClient }>

/**
 * Opens a client of the external collector at `SENTRY_DSN` for reports of build `release`. Loaded on the first report,
 * so that other requests do not pay for it.
 */
export async function openSentry(
  settings: Settings,
  dsn: string,
  waitUntil: WaitUntil,
  release = settings.BUILD_ID,
): Promise<SentryClient> {
  const { Toucan } = await load()
  return new Toucan(collectorOptions({ dsn, environment: settings.ENVIRONMENT, release, waitUntil }))
}
