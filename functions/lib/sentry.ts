import { collectorOptions, type Collector, type CollectorEvent, type WaitUntil } from '../../contract/collector.ts'
import type { ErrorReport } from '../../contract/telemetry.ts'
import type { Settings } from './env.ts'

/** Not known to the type checker: the types of toucan-js declare a Worker's globals for the whole project, browser included. */
const load = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => Collector }>

/**
 * A client of the outside collector that `SENTRY_DSN` names. Loaded when something is reported, so that nothing else pays
 * for it.
 */
export async function openSentry(settings: Settings, dsn: string, waitUntil: WaitUntil): Promise<Collector> {
  const { Toucan } = await load()
  return new Toucan(collectorOptions({ dsn, environment: settings.ENVIRONMENT, release: settings.BUILD_ID, waitUntil }))
}

/** A page's report in the collector's shape: causes first, and in each stack the outermost frame first. */
export function eventOf(report: ErrorReport): CollectorEvent {
  return {
    platform: 'javascript',
    level: report.level,
    timestamp: report.at / 1000,
    request: { url: report.page },
    tags: { from: 'browser' },
    breadcrumbs: report.trail.map(({ at, text }) => ({ timestamp: at / 1000, message: text })),
    exception: {
      values: report.errors.toReversed().map(({ name, message, frames }) => ({
        type: name,
        value: message,
        stacktrace: { frames: frames.toReversed().map(frameOf) },
      })),
    },
  }
}

/** `at f (https://…/a.js:1:2)` as Chromium writes it, `f@https://…/a.js:1:2` as the others do. */
function frameOf(line: string): object {
  const [, chromium, others, filename, row, column] =
    /^(?:at (?:(.+?) \()?|(.*?)@)(\S+?):(\d+):(\d+)\)?$/.exec(line) ?? []
  if (filename === undefined) return { function: line }
  return { function: chromium || others || '?', filename, lineno: Number(row), colno: Number(column), in_app: true }
}
