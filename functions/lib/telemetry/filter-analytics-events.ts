import * as v from 'valibot'
import { CALLS } from '../../../contract/all-calls.ts'
import { maskValue } from '../../../contract/telemetry/mask-secrets.ts'
import {
  CAPTURED,
  MEASURED_NUMBERS,
  MEASURED_TYPES,
  MEASURED_WORDS,
  METRICS,
} from '../../../contract/telemetry/analytics-events.ts'
import { readableArray } from '../../../contract/wire/lenient-parse.ts'
import { measuredEvent, MEASURED_PROPS, type MeasuredEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { GENERIC_PAGE, PAGES, pageAt } from '../../../src/domain/navigation/pages.ts'
import { findCall } from '../proxy/find-call.ts'

/** Values of the request that the edge adds to each event of a batch. `now` in ms UTC. */
export interface Reader {
  readonly now: number
  readonly build: string
  readonly experiment: string
  /**
   * Account of the request's session, '' without one. An event that names another account is stored without an account.
   */
  readonly user: string
}

type Props = Readonly<Record<string, unknown>>

/** Latest time of a `Date`, ms UTC. */
const LAST_TIME = 8.64e15
const uuid = v.pipe(v.string(), v.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))
/** Fields of a library event that are read. An event without the required ones cannot be counted and is dropped. */
const raw = v.object({
  event_type: v.picklist(MEASURED_TYPES),
  insert_id: uuid,
  device_id: uuid,
  time: v.pipe(v.number(), v.finite(), v.minValue(0)),
  session_id: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_TIME)), 0),
  user_id: v.fallback(v.string(), ''),
  app_version: v.fallback(v.string(), ''),
  event_properties: v.fallback(v.record(v.string(), v.unknown()), {}),
})
type Raw = v.InferOutput<typeof raw>

/** Format of an account id that may be stored. Other issuers may use other formats; such ids are not stored. */
const USER = /^[\w-]{1,64}$/
const BUILD = /^[\da-f]{7,64}$/
const ADDRESS = /^(https?:\/\/[^/]+)?(?=\/)/
const PATTERNS = new Set(CALLS.map(({ path }) => path))
const ROUTES: ReadonlySet<string> = new Set([...PAGES, GENERIC_PAGE].map(({ path }) => path))

/**
 * Reduces a batch to known fields, words and numbers (ANALYTICS-08), so that it contains no text, name or address of a
 * person, no matter what the page sent. Drops malformed events.
 */
export function measuredEvents(events: readonly unknown[], reader: Reader): MeasuredEvent[] {
  const read = v.parse(readableArray(raw), events)
  return v.parse(readableArray(measuredEvent), maskValue(read.flatMap((event) => toMeasuredEvents(event, reader))))
}

function toMeasuredEvents(event: Raw, reader: Reader): MeasuredEvent[] {
  const { now, user } = reader
  const isUser = event.user_id === user && USER.test(user)
  const whole: MeasuredEvent = {
    id: event.insert_id,
    type: event.event_type,
    // Limited to `now`: if the browser's clock is ahead, its events would be retained longer than others.
    at: Math.floor(Math.min(event.time, now)),
    // This time comes from the browser's own clock, so it is only compared with other times of that clock.
    session: Math.floor(event.session_id),
    device: event.device_id,
    user: isUser ? user : '',
    route: readRoute(event.event_properties),
    build: BUILD.test(event.app_version) ? event.app_version : reader.build,
    props: toMeasuredProps(event.event_properties, reader),
  }
  const metrics = event.event_type === CAPTURED.webVitals ? listMetrics(event.event_properties) : []
  if (metrics.length === 0) return [whole]
  return metrics.map(({ metric, told: metricProps }) => ({
    ...whole,
    id: `${whole.id}:${metric}`,
    props: toMeasuredProps({ ...metricProps, metric }, reader),
  }))
}

/** The library sends all metrics of a page in one event. */
const listMetrics = (props: Props) =>
  METRICS.flatMap((metric) => {
    const metricProps = props[`[Amplitude] ${metric}`]
    return typeof metricProps === 'object' && metricProps !== null ? [{ metric, told: metricProps as Props }] : []
  })

/** Returns the route of the page table that a URL or pattern matches, never the URL itself; '' without one. */
function readRoute(props: Props): string {
  const route = props['route'] ?? props['[Amplitude] Page Path']
  if (typeof route !== 'string' || !route.startsWith('/')) return ''
  return ROUTES.has(route) ? route : pageAt(route.replace(/[?#].*/, '')).path
}

/** Maps property names of the library to the stored names. */
const NAMES: Readonly<Record<string, (typeof MEASURED_PROPS)[number]>> = {
  '[Amplitude] Duration': 'ms',
  '[Amplitude] Status Code': 'status',
  '[Amplitude] Request Method': 'method',
  '[Amplitude] URL': 'target',
  '[Amplitude] Element Tag': 'target',
  flag_key: 'flag',
}

function toMeasuredProps(rawProps: Props, reader: Reader): MeasuredEvent['props'] {
  const renamed = Object.entries(rawProps).flatMap(([name, value]) => (NAMES[name] ? [[NAMES[name], value]] : []))
  const props: Props = { ...(Object.fromEntries(renamed) as Props), ...rawProps }
  const entries = MEASURED_PROPS.flatMap((name) => {
    const value = toMeasuredValue(name, props, reader)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function toMeasuredValue(name: (typeof MEASURED_PROPS)[number], props: Props, reader: Reader): string | number | null {
  const value = Object.hasOwn(props, name) ? props[name] : null
  const max = MEASURED_NUMBERS[name]
  if (max !== undefined) return typeof value === 'number' && value >= 0 && value <= max ? value : null
  if (typeof value !== 'string') return null
  if (name === 'flag') return value !== '' && value === reader.experiment ? value : null
  if (MEASURED_WORDS[name]?.includes(value)) return value
  return name === 'target' ? findCallPattern(value, props['method']) : null
}

/** Returns the path pattern of the call that a URL matches; null for any other URL. */
function findCallPattern(address: string, method: unknown): string | null {
  if (PATTERNS.has(address)) return address
  const path = address.replace(ADDRESS, '').replace(/[?#].*/, '')
  const [, group = '', rest = ''] = /^\/api\/p\/([\w-]+)(\/.*)$/.exec(path) ?? []
  return findCall(group, typeof method === 'string' ? method : 'GET', rest)?.call.path ?? null
}
