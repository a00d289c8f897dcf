import { mask } from '../../contract/mask.ts'
import { TRACES_SAMPLE_RATE, type ErrorReport } from '../../contract/telemetry.ts'
import type { Settings } from './env.ts'

/** Promises that outlive the answer. */
export type WaitUntil = (task: Promise<unknown>) => void

/** An event of the Sentry protocol. */
type SentryEvent = Readonly<Record<string, unknown>>
/** The part of toucan-js that is used. */
interface Sentry {
  captureEvent(event: SentryEvent): string
  captureException(error: unknown): string
  setTag(name: string, value: string): unknown
}

/** Not known to the type checker: the types of toucan-js declare a Worker's globals for the whole project, browser included. */
const load = () => import('toucan-js' as string) as Promise<{ Toucan: new (options: object) => Sentry }>

/**
 * A client of the outside collector that `SENTRY_DSN` names. Loaded when something is reported, so that nothing else pays
 * for it.
 */
export async function openSentry(settings: Settings, dsn: string, waitUntil: WaitUntil): Promise<Sentry> {
  const { Toucan } = await load()
  return new Toucan({
    dsn,
    environment: settings.ENVIRONMENT,
    release: settings.BUILD_ID,
    context: { waitUntil },
    tracesSampleRate: TRACES_SAMPLE_RATE,
    maxBreadcrumbs: 100,
    beforeSend: masked,
    beforeSendTransaction: masked,
  })
}

/** What leaves for another company has passed the masker as a whole. */
function masked({ sdkProcessingMetadata: _internal, ...event }: SentryEvent): unknown {
  return mask(event)
}

/** A page's report in the collector's shape: causes first, and in each stack the outermost frame first. */
export function eventOf(report: ErrorReport): SentryEvent {
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
