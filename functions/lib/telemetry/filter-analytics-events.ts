import * as v from 'valibot'
import { CALLS } from '../../../contract/all-calls.ts'
import { maskValue } from '../../../contract/telemetry/mask-secrets.ts'
import {
  AUTOMATIC_EVENTS,
  NUMERIC_PROP_MAX,
  STORED_EVENT_TYPES,
  ALLOWED_PROP_WORDS,
  METRICS,
} from '../../../contract/telemetry/analytics-events.ts'
import { lenientArray } from '../../../contract/wire/lenient-parse.ts'
import {
  storedAnalyticsEvent,
  ANALYTICS_PROPS,
  type StoredAnalyticsEvent,
} from '../../../contract/telemetry/telemetry-calls.ts'
import { NOT_FOUND_PAGE, PAGES, findPage } from '../../../src/domain/navigation/pages.ts'
import { findCall } from '../proxy/find-call.ts'

/** Values with which the edge checks and completes the events of a batch. `now` in ms UTC. */
export interface BatchContext {
  readonly now: number
  readonly build: string
  readonly experiment: string
  /** Account of the request's session; '' without a session. An event keeps its account only if it is this account. */
  readonly user: string
}

type Props = Readonly<Record<string, unknown>>

/** Latest time of a `Date`, ms UTC. */
const DATE_MAX_MS = 8.64e15
const uuid = v.pipe(v.string(), v.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))
const libraryEvent = v.object({
  event_type: v.picklist(STORED_EVENT_TYPES),
  insert_id: uuid,
  device_id: uuid,
  time: v.pipe(v.number(), v.finite(), v.minValue(0)),
  session_id: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(DATE_MAX_MS)), 0),
  user_id: v.fallback(v.string(), ''),
  app_version: v.fallback(v.string(), ''),
  event_properties: v.fallback(v.record(v.string(), v.unknown()), {}),
})
type LibraryEvent = v.InferOutput<typeof libraryEvent>

const ACCOUNT_ID_FORMAT = /^[\w-]{1,64}$/
const BUILD_FORMAT = /^[\da-f]{7,64}$/
const ORIGIN_PREFIX = /^(https?:\/\/[^/]+)?(?=\/)/
const CALL_PATHS = new Set(CALLS.map(({ path }) => path))
const ROUTES: ReadonlySet<string> = new Set([...PAGES, NOT_FOUND_PAGE].map(({ path }) => path))

/**
 * Reduces the events of a batch to known fields, words and numbers (ANALYTICS-08), so that no other data of a page,
 * such as personal data, is stored. Drops malformed events.
 */
export function filterAnalyticsEvents(events: readonly unknown[], context: BatchContext): StoredAnalyticsEvent[] {
  const libraryEvents = v.parse(lenientArray(libraryEvent), events)
  return v.parse(
    lenientArray(storedAnalyticsEvent),
    maskValue(libraryEvents.flatMap((event) => toStoredEvents(event, context))),
  )
}

function toStoredEvents(event: LibraryEvent, context: BatchContext): StoredAnalyticsEvent[] {
  const { now, user } = context
  const isUser = event.user_id === user && ACCOUNT_ID_FORMAT.test(user)
  const baseEvent: StoredAnalyticsEvent = {
    id: event.insert_id,
    type: event.event_type,
    // Limit the time to `now`. If the browser's clock is ahead, its events would otherwise be retained longer than
    // others.
    at: Math.floor(Math.min(event.time, now)),
    // The session start comes from the browser's clock. Compare it only with other times of the same clock.
    session: Math.floor(event.session_id),
    device: event.device_id,
    user: isUser ? user : '',
    route: readRoute(event.event_properties),
    build: BUILD_FORMAT.test(event.app_version) ? event.app_version : context.build,
    props: toStoredProps(event.event_properties, context),
  }
  const metrics = event.event_type === AUTOMATIC_EVENTS.webVitals ? listMetrics(event.event_properties) : []
  if (metrics.length === 0) return [baseEvent]
  return metrics.map(({ metric, told: metricProps }) => ({
    ...baseEvent,
    id: `${baseEvent.id}:${metric}`,
    props: toStoredProps({ ...metricProps, metric }, context),
  }))
}

/** The library sends all metrics of a page in one event. */
const listMetrics = (props: Props) =>
  METRICS.flatMap((metric) => {
    const metricProps = props[`[Amplitude] ${metric}`]
    return typeof metricProps === 'object' && metricProps !== null ? [{ metric, told: metricProps as Props }] : []
  })

/**
 * Returns the route in the page table that a path or pattern matches; the route of `NOT_FOUND_PAGE` if none matches, ''
 * without a path. Never returns the path itself, because a path can contain ids.
 */
function readRoute(props: Props): string {
  const route = props['route'] ?? props['[Amplitude] Page Path']
  if (typeof route !== 'string' || !route.startsWith('/')) return ''
  return ROUTES.has(route) ? route : findPage(route.replace(/[?#].*/, '')).path
}

const STORED_PROP_NAMES: Readonly<Record<string, (typeof ANALYTICS_PROPS)[number]>> = {
  '[Amplitude] Duration': 'ms',
  '[Amplitude] Status Code': 'status',
  '[Amplitude] Request Method': 'method',
  '[Amplitude] URL': 'target',
  '[Amplitude] Element Tag': 'target',
  flag_key: 'flag',
}

function toStoredProps(rawProps: Props, context: BatchContext): StoredAnalyticsEvent['props'] {
  const renamed = Object.entries(rawProps).flatMap(([name, value]) =>
    STORED_PROP_NAMES[name] ? [[STORED_PROP_NAMES[name], value]] : [],
  )
  const props: Props = { ...(Object.fromEntries(renamed) as Props), ...rawProps }
  const entries = ANALYTICS_PROPS.flatMap((name) => {
    const value = toStoredValue(name, props, context)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function toStoredValue(
  name: (typeof ANALYTICS_PROPS)[number],
  props: Props,
  context: BatchContext,
): string | number | null {
  const value = Object.hasOwn(props, name) ? props[name] : null
  const max = NUMERIC_PROP_MAX[name]
  if (max !== undefined) return typeof value === 'number' && value >= 0 && value <= max ? value : null
  if (typeof value !== 'string') return null
  if (name === 'flag') return value !== '' && value === context.experiment ? value : null
  if (ALLOWED_PROP_WORDS[name]?.includes(value)) return value
  return name === 'target' ? findCallPattern(value, props['method']) : null
}

function findCallPattern(url: string, method: unknown): string | null {
  if (CALL_PATHS.has(url)) return url
  const path = url.replace(ORIGIN_PREFIX, '').replace(/[?#].*/, '')
  const [, group = '', rest = ''] = /^\/api\/p\/([\w-]+)(\/.*)$/.exec(path) ?? []
  return findCall(group, typeof method === 'string' ? method : 'GET', rest)?.call.path ?? null
}
