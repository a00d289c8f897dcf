import { CAPTURED, MEASURED_TYPES, METRICS, type SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { MEASURED_PROPS } from '../../contract/telemetry/telemetry-calls.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/** Time after its first start for which test tracking measures a browser, ms (ANALYTICS-06). */
export const TEST_TRACKING_MS = HOUR_MS

type Props = Readonly<Record<string, unknown>>

const KEPT: readonly string[] = ['route', 'flag_key', ...MEASURED_PROPS]
/** Properties of the analytics library's events that are sent unchanged. */
const OF_LIBRARY: Readonly<Record<string, readonly string[]>> = {
  [CAPTURED.networkRequest]: ['[Amplitude] Duration', '[Amplitude] Status Code', '[Amplitude] Request Method'],
  [CAPTURED.deadClick]: ['[Amplitude] Element Tag'],
  [CAPTURED.rageClick]: ['[Amplitude] Element Tag'],
}

/**
 * Reduces an event of the analytics library to the parts that are sent: no URL, title, element text or personal
 * property (ANALYTICS-08). Returns null for an event type that is not measured. Idempotent.
 */
export function sentEvent(event: Props): SentEvent | null {
  const { event_type, insert_id, time, session_id, device_id, user_id, app_version } = event as unknown as SentEvent
  if (!MEASURED_TYPES.includes(event_type)) return null
  return {
    ...{ event_type, insert_id, time, session_id, device_id, app_version },
    ...(user_id && { user_id }),
    event_properties: sentProps(event_type, (event['event_properties'] ?? {}) as Props),
  }
}

function sentProps(type: string, props: Props): Props {
  const allowed = [...KEPT, ...(OF_LIBRARY[type] ?? [])].flatMap((name) =>
    isPlain(props[name]) ? [[name, props[name]] as const] : [],
  )
  const metrics = type === CAPTURED.webVitals ? METRICS.flatMap((metric) => readMetric(metric, props)) : []
  const address = type === CAPTURED.networkRequest ? props['[Amplitude] URL'] : undefined
  const group = address === undefined ? [] : [['target', endpointGroup(address)] as const]
  return Object.fromEntries([...allowed, ...metrics, ...group])
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'string'

/** Keeps only value and rating of a metric: the library also adds its position in the page. */
function readMetric(metric: string, props: Props): [string, Props][] {
  const name = `[Amplitude] ${metric}`
  const { value, rating } = (props[name] ?? {}) as Props
  return typeof value === 'number' ? [[name, { value, rating }]] : []
}

/** Returns the endpoint group of a URL instead of the URL itself, which may name a camera or an event. */
function endpointGroup(address: unknown): string {
  return /^(?:https?:\/\/[^/]+)?\/api\/p\/([\w-]+)\//.exec(typeof address === 'string' ? address : '')?.[1] ?? 'other'
}
