import { isInSample } from '../../../contract/telemetry/browser-hash.ts'
import { AUTOMATIC_EVENTS, METRICS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, VARIANTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { VITAL_LIMITS, type Metric } from '../../../contract/telemetry/web-vitals.ts'

/** Stored event as a report counts it. `props` is JSON. Times in ms UTC. */
export interface CountedEvent {
  readonly type: string
  readonly at: number
  readonly session: number
  readonly device: string
  readonly user: string
  readonly route: string
  readonly props: string
}

export const FUNNELS = [
  { name: 'Logging in', steps: [ANALYTICS_EVENTS.signInBegun, ANALYTICS_EVENTS.signedIn] },
  { name: 'Buying', steps: [ANALYTICS_EVENTS.priceShown, ANALYTICS_EVENTS.payPressed, ANALYTICS_EVENTS.bought] },
] as const
const FUNNEL_STEPS: readonly string[] = FUNNELS.flatMap(({ steps }) => steps)

/** Returns the bit of a funnel step in `BrowserCounts.steps`; 0 for other events. */
export const getStepBit = (type: string): number => (FUNNEL_STEPS.includes(type) ? 1 << FUNNEL_STEPS.indexOf(type) : 0)

interface BrowserCounts {
  /** Bits of the funnel steps that the browser completed. */
  steps: number
  /** Session starts of the browser's visits; empty if the browser is not in the sample. */
  readonly sessions: Set<number>
}
interface ExposureCounts {
  /** Time of the first exposure, ms UTC. */
  firstAt: number
  /** Bits of the variants that the person saw, in the order of `VARIANTS`. */
  variants: number
}
/** Reported values of one metric and page. */
export interface MetricCounts {
  count: number
  /** Number of values up to the good limit of the metric. */
  good: number
  /** Number of values by rounded value, in units of `getMetricStep`. */
  readonly histogram: Map<number, number>
}

/**
 * Counts of a set of events. The counts of two sets can be merged without error, even if a browser or an account occurs
 * in both. Objects send counts to the report, so they contain only what structured cloning supports.
 */
export interface EventCounts {
  views: number
  readonly events: Map<string, number>
  readonly browsers: Map<string, BrowserCounts>
  /** By experiment, then by person. A person is an account or, without an account, a browser. */
  readonly exposures: Map<string, Map<string, ExposureCounts>>
  /** Time of the last purchase by person, ms UTC. */
  readonly purchases: Map<string, number>
  /** By metric, then by page. */
  readonly values: Map<string, Map<string, MetricCounts>>
}

export const createEventCounts = (): EventCounts => ({
  views: 0,
  events: new Map(),
  browsers: new Map(),
  exposures: new Map(),
  purchases: new Map(),
  values: new Map(),
})

/** Adds an event. With a `sampleRate` above 1, page views, visits and Web Vitals count only for browsers in the sample. */
export function countEvent(counts: EventCounts, event: CountedEvent, sampleRate: number): void {
  const { type, at, session, device, user } = event
  const browser = getOrCreate(counts.browsers, device, () => ({ steps: 0, sessions: new Set<number>() }))
  const isSampled = isInSample(device, sampleRate)
  browser.steps |= getStepBit(type)
  if (isSampled) browser.sessions.add(session)
  if (FUNNEL_STEPS.includes(type)) counts.events.set(type, (counts.events.get(type) ?? 0) + 1)
  const person = user === '' ? `d ${device}` : `u ${user}`
  if (type === ANALYTICS_EVENTS.bought)
    counts.purchases.set(person, Math.max(at, counts.purchases.get(person) ?? -Infinity))
  if (type === AUTOMATIC_EVENTS.exposure) countExposure(counts, person, event)
  if (type === AUTOMATIC_EVENTS.pageViewed && isSampled) counts.views += 1
  if (type === AUTOMATIC_EVENTS.webVitals && isSampled) countWebVital(counts, event)
  if (type === ANALYTICS_EVENTS.firstPicture) countValue(counts, type, '', parseProps(event)['ms'])
}

const parseProps = ({ props }: CountedEvent) => JSON.parse(props) as Readonly<Partial<Record<string, unknown>>>

function countExposure(counts: EventCounts, person: string, event: CountedEvent): void {
  const { flag, variant } = parseProps(event)
  const bit = 1 << VARIANTS.findIndex((name) => name === variant)
  if (typeof flag !== 'string' || bit < 1) return
  const people = getOrCreate(counts.exposures, flag, () => new Map<string, ExposureCounts>())
  mergeExposure(people, person, { firstAt: event.at, variants: bit })
}

function mergeExposure(people: Map<string, ExposureCounts>, person: string, added: ExposureCounts): void {
  const exposure = getOrCreate(people, person, () => ({ firstAt: Infinity, variants: 0 }))
  exposure.firstAt = Math.min(exposure.firstAt, added.firstAt)
  exposure.variants |= added.variants
}

function countWebVital(counts: EventCounts, event: CountedEvent): void {
  const { metric, value } = parseProps(event)
  if (isMetric(metric)) countValue(counts, metric, event.route, value)
}

function countValue(counts: EventCounts, metric: string, page: string, value: unknown): void {
  if (typeof value !== 'number') return
  const goodLimit = isMetric(metric) ? VITAL_LIMITS[metric][0] : Infinity
  const histogram = new Map([[Math.round(value / getMetricStep(metric)), 1]])
  mergeMetric(counts, metric, page, { count: 1, good: Number(value <= goodLimit), histogram })
}

function mergeMetric(counts: EventCounts, metric: string, page: string, added: MetricCounts): void {
  const pages = getOrCreate(counts.values, metric, () => new Map<string, MetricCounts>())
  const sum = getOrCreate(pages, page, () => ({ count: 0, good: 0, histogram: new Map<number, number>() }))
  sum.count += added.count
  sum.good += added.good
  for (const [value, count] of added.histogram) sum.histogram.set(value, (sum.histogram.get(value) ?? 0) + count)
}

/** Adds the counts of other events to `sum`. */
export function mergeEventCounts(sum: EventCounts, added: EventCounts): void {
  sum.views += added.views
  for (const [type, count] of added.events) sum.events.set(type, (sum.events.get(type) ?? 0) + count)
  for (const [device, { steps, sessions }] of added.browsers) {
    const browser = getOrCreate(sum.browsers, device, () => ({ steps: 0, sessions: new Set<number>() }))
    browser.steps |= steps
    for (const session of sessions) browser.sessions.add(session)
  }
  for (const [flag, addedPeople] of added.exposures) {
    const people = getOrCreate(sum.exposures, flag, () => new Map<string, ExposureCounts>())
    for (const [person, exposure] of addedPeople) mergeExposure(people, person, exposure)
  }
  for (const [person, at] of added.purchases)
    sum.purchases.set(person, Math.max(at, sum.purchases.get(person) ?? -Infinity))
  for (const [metric, pages] of added.values) for (const [page, values] of pages) mergeMetric(sum, metric, page, values)
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

const isMetric = (metric: unknown): metric is Metric => METRICS.some((name) => name === metric)

/**
 * Resolution of percentiles: 0.001 for CLS, which has no unit, and 1 ms for the others. Reports show no more digits,
 * and the number of different values stays small.
 */
const getMetricStep = (metric: string): number => (metric === 'CLS' ? 0.001 : 1)

/** Returns the value at quantile `share` by the nearest-rank method, rounded to the metric's resolution; null if empty. */
export function getQuantile(metric: string, { count, histogram }: MetricCounts, share: number): number | null {
  let rank = Math.max(1, Math.ceil(count * share))
  for (const [value, valueCount] of [...histogram].toSorted(([a], [b]) => a - b)) {
    rank -= valueCount
    if (rank <= 0) return metric === 'CLS' ? value / 1000 : value
  }
  return null
}
