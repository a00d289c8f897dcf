import { collectorOptions, type Collector, type WaitUntil } from '../../../contract/telemetry/sentry-client-options.ts'
import type { Settings } from '../settings.ts'

/** Not known to the type checker: the types of toucan-js declare a Worker's globals for the whole project, browser included. */
const load = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => Collector }>

/**
 * A client of the outside collector that `SENTRY_DSN` names, for what this build (`release`) told. Loaded when something is
 * reported, so that nothing else pays for it.
 */
export async function openSentry(
  settings: Settings,
  dsn: string,
  waitUntil: WaitUntil,
  release = settings.BUILD_ID,
): Promise<Collector> {
  const { Toucan } = await load()
  return new Toucan(collectorOptions({ dsn, environment: settings.ENVIRONMENT, release, waitUntil }))
}
