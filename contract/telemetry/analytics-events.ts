import { ENDPOINT_GROUPS } from '../wire/endpoint-groups.ts'
import { PERIODS } from '../billing/money.ts'
import { SKUS } from '../billing/skus.ts'
import { EVENTS, VARIANTS, type MEASURED_PROPS } from './telemetry-calls.ts'

/** By this the pages name themselves to the sinks. It stands in every page: it keeps strangers' programs apart, not strangers. */
export const MEASURE_KEY = 'web-portal'

/** What the analytics library tells by itself and is kept. */
export const CAPTURED = {
  sessionStart: 'session_start',
  sessionEnd: 'session_end',
  pageViewed: '[Amplitude] Page Viewed',
  deadClick: '[Amplitude] Dead Click',
  rageClick: '[Amplitude] Rage Click',
  networkRequest: '[Amplitude] Network Request',
  /** Of one event of the library as many are kept as it has metrics, each with `metric`, `value` and `rating`. */
  webVitals: '[Amplitude] Web Vitals',
  /** Somebody was shown a variant. */
  exposure: '$exposure',
} as const

/** Types that are kept; all others are dropped. */
export const MEASURED_TYPES: readonly string[] = [...Object.values(CAPTURED), ...Object.values(EVENTS)]

/** Metrics of pages. */
export const METRICS = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB'] as const

type MeasuredProp = (typeof MEASURED_PROPS)[number]

/** Largest number of a property that is one. */
export const MEASURED_NUMBERS: Readonly<Partial<Record<MeasuredProp, number>>> = {
  ms: 86_400_000,
  value: 86_400_000,
  status: 599,
}

/**
 * Every word that a property may have, so that no text of a person is among them. Of two more the edge knows the
 * words: `flag` is the experiment that is set, `target` also the pattern of a call (`/api/v2/subscriptions/{uuid}`); the pages
 * tell no more than its group.
 */
export const MEASURED_WORDS: Readonly<Partial<Record<MeasuredProp, readonly string[]>>> = {
  metric: METRICS,
  rating: ['good', 'needs-improvement', 'poor'],
  method: [
    ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    ...['password', 'passkey', 'relay', 'direct', 'card', 'wallet', 'balance'],
  ],
  target: [
    ...Object.keys(ENDPOINT_GROUPS),
    ...['a', 'button', 'input', 'label', 'select', 'summary', 'textarea', 'video', 'canvas', 'img', 'svg', 'other'],
  ],
  variant: VARIANTS,
  plan: SKUS,
  period: PERIODS,
}

/** One event as it leaves the browser. Times in ms UTC. */
export interface SentEvent {
  readonly event_type: string
  readonly insert_id: string
  readonly time: number
  readonly session_id: number
  readonly device_id: string
  readonly user_id?: string | undefined
  readonly app_version: string
  readonly event_properties: Readonly<Record<string, unknown>>
}
