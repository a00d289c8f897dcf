import fc from 'fast-check'
import { AUTOMATIC_EVENTS, METRICS } from '../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, VARIANTS, type StoredAnalyticsEvent } from '../../contract/telemetry/telemetry-calls.ts'
import { DAY_MS } from '../../contract/time-units.ts'
import { createStoredEvent, createUuid } from './measured.ts'

/** Miniflare passes only records with a prototype to Workers. */
const createRecord = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true })

const propsArbitrary = (type: string): fc.Arbitrary<StoredAnalyticsEvent['props']> => {
  if (type === AUTOMATIC_EVENTS.exposure)
    return createRecord({ flag: fc.constantFrom('first', 'second'), variant: fc.constantFrom(...VARIANTS) })
  if (type === ANALYTICS_EVENTS.firstPicture) return createRecord({ ms: fc.integer({ min: 0, max: 5000 }) })
  if (type !== AUTOMATIC_EVENTS.webVitals) return fc.constant({})
  const metricArbitrary = fc.constantFrom(...METRICS)
  return metricArbitrary.chain((metric) =>
    createRecord({
      metric: fc.constant(metric),
      value: fc.double({ min: 0, max: metric === 'CLS' ? 0.5 : 5000, noNaN: true }),
    }),
  )
}

/**
 * Events of a few browsers and accounts on `days` UTC days that end on the day of `end` (ms UTC). An account uses several
 * browsers, and visits last longer than a day.
 */
export const eventsArbitrary = (end: number, days: number): fc.Arbitrary<StoredAnalyticsEvent[]> => {
  const types = [
    ...Object.values(ANALYTICS_EVENTS),
    AUTOMATIC_EVENTS.pageViewed,
    AUTOMATIC_EVENTS.webVitals,
    AUTOMATIC_EVENTS.exposure,
    AUTOMATIC_EVENTS.exposure,
  ]
  const eventArbitrary = fc.constantFrom(...types).chain((type) =>
    createRecord({
      type: fc.constant(type),
      at: fc.integer({ min: 0, max: days * DAY_MS - 1 }).map((age) => end - age),
      session: fc.constantFrom(1000, 2000, 3000),
      device: fc.nat(7).map(createUuid),
      user: fc.constantFrom('', 'user_1a', 'user_2b'),
      route: fc.constantFrom('/live', '/events'),
      props: propsArbitrary(type),
    }),
  )
  return fc
    .array(eventArbitrary, { minLength: 1, maxLength: 120 })
    .map((events) => events.map((event, n) => createStoredEvent(n, event.at, event)))
}
