import {
  createSentryOptions,
  type SentryClient,
  type WaitUntil,
} from '../../../contract/telemetry/sentry-client-options.ts'
import type { Settings } from '../settings.ts'

/**
 * Imports toucan-js without its types: they would declare a Worker's globals for the whole project, browser code
 * included.
 */
const importToucan = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => SentryClient }>

/**
 * Creates a client of the external collector at `dsn` for reports about build `release`. Loads toucan-js only when
 * there is something to report, so that other requests do not wait for the module.
 */
export async function createSentryClient(
  settings: Settings,
  dsn: string,
  waitUntil: WaitUntil,
  release = settings.BUILD_ID,
): Promise<SentryClient> {
  const { Toucan } = await importToucan()
  return new Toucan(createSentryOptions({ dsn, environment: settings.ENVIRONMENT, release, waitUntil }))
}
