import { CAPTURED, MEASURED_TYPES, METRICS, type SentEvent } from '../../contract/telemetry/analytics-events.ts'
import { MEASURED_PROPS } from '../../contract/telemetry/telemetry-calls.ts'

/** How long test tracking runs in a browser after it has first begun, ms (ANALYTICS-06). */
export const TEST_TRACKING_MS = 3_600_000

type Props = Readonly<Record<string, unknown>>

const KEPT: readonly string[] = ['route', 'flag_key', ...MEASURED_PROPS]
/** What the library tells that is kept as it is. */
const OF_LIBRARY: Readonly<Record<string, readonly string[]>> = {
  [CAPTURED.networkRequest]: ['[Amplitude] Duration', '[Amplitude] Status Code', '[Amplitude] Request Method'],
  [CAPTURED.deadClick]: ['[Amplitude] Element Tag'],
  [CAPTURED.rageClick]: ['[Amplitude] Element Tag'],
}

/**
 * What waits and leaves of an event of the library: no address, title, text of an element or property of a person (ANALYTICS-08).
 * Null for an event that is not one of those that are kept. Of what it answers it answers the same again.
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

/** Of a metric its value and rating; the library tells its place in the page as well. */
function readMetric(metric: string, props: Props): [string, Props][] {
  const name = `[Amplitude] ${metric}`
  const { value, rating } = (props[name] ?? {}) as Props
  return typeof value === 'number' ? [[name, { value, rating }]] : []
}

/** The group of calls that an address belongs to; the address itself may name a camera or an event. */
function endpointGroup(address: unknown): string {
  return /^(?:https?:\/\/[^/]+)?\/api\/p\/([\w-]+)\//.exec(typeof address === 'string' ? address : '')?.[1] ?? 'other'
}
