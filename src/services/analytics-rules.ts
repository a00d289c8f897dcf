import {
  AUTOMATIC_EVENTS,
  STORED_EVENT_TYPES,
  METRICS,
  type SentEvent,
} from '../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_PROPS } from '../../contract/telemetry/telemetry-calls.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/** Duration of test tracking, ms, counted from its first start in a browser (ANALYTICS-06). */
export const TEST_TRACKING_MS = HOUR_MS

type Props = Readonly<Record<string, unknown>>

const SENT_PROPERTIES: readonly string[] = ['route', 'flag_key', ...ANALYTICS_PROPS]
const SENT_LIBRARY_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  [AUTOMATIC_EVENTS.networkRequest]: ['[Amplitude] Duration', '[Amplitude] Status Code', '[Amplitude] Request Method'],
  [AUTOMATIC_EVENTS.deadClick]: ['[Amplitude] Element Tag'],
  [AUTOMATIC_EVENTS.rageClick]: ['[Amplitude] Element Tag'],
}

/**
 * Reduces an event to the parts that are sent: no URL, title, element text or personal
 * property (ANALYTICS-08). Returns null for an event type that is not measured. Idempotent.
 */
export function reduceEvent(event: Props): SentEvent | null {
  const { event_type, insert_id, time, session_id, device_id, user_id, app_version } = event as unknown as SentEvent
  if (!STORED_EVENT_TYPES.includes(event_type)) return null
  return {
    event_type,
    insert_id,
    time,
    session_id,
    device_id,
    app_version,
    ...(user_id && { user_id }),
    event_properties: reduceProps(event_type, (event['event_properties'] ?? {}) as Props),
  }
}

function reduceProps(type: string, props: Props): Props {
  const plainProps = [...SENT_PROPERTIES, ...(SENT_LIBRARY_PROPERTIES[type] ?? [])].flatMap((name) =>
    isTextOrNumber(props[name]) ? [[name, props[name]] as const] : [],
  )
  const metrics = type === AUTOMATIC_EVENTS.webVitals ? METRICS.flatMap((metric) => pickMetric(metric, props)) : []
  const url = type === AUTOMATIC_EVENTS.networkRequest ? props['[Amplitude] URL'] : undefined
  const group = url === undefined ? [] : [['target', getEndpointGroup(url)] as const]
  return Object.fromEntries([...plainProps, ...metrics, ...group])
}

const isTextOrNumber = (value: unknown) => typeof value === 'number' || typeof value === 'string'

/** Keeps only value and rating of a metric. The library also adds an id, timestamps and the navigation type. */
function pickMetric(metric: string, props: Props): [string, Props][] {
  const name = `[Amplitude] ${metric}`
  const { value, rating } = (props[name] ?? {}) as Props
  return typeof value === 'number' ? [[name, { value, rating }]] : []
}

/** Returns the endpoint group of a URL instead of the URL itself, which may name a camera or an event. */
function getEndpointGroup(url: unknown): string {
  return /^(?:https?:\/\/[^/]+)?\/api\/p\/([\w-]+)\//.exec(typeof url === 'string' ? url : '')?.[1] ?? 'other'
}
