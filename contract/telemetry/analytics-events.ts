import { ENDPOINT_GROUPS } from '../wire/endpoint-groups.ts'
import { PERIODS } from '../billing/money.ts'
import { SKUS } from '../billing/skus.ts'
import { ANALYTICS_EVENTS, VARIANTS, type ANALYTICS_PROPS } from './telemetry-calls.ts'
import { DAY_MS } from '../time-units.ts'

/**
 * Key that pages send with analytics. Every page contains it, so it only filters out unrelated programs and stops no
 * attacker.
 */
export const ANALYTICS_API_KEY = 'web-portal'

/** Automatic events that are stored, named as in Amplitude's library. */
export const AUTOMATIC_EVENTS = {
  sessionStart: 'session_start',
  sessionEnd: 'session_end',
  pageViewed: '[Amplitude] Page Viewed',
  deadClick: '[Amplitude] Dead Click',
  rageClick: '[Amplitude] Rage Click',
  networkRequest: '[Amplitude] Network Request',
  /** Stored as one event per metric, each with `metric`, `value` and `rating`. */
  webVitals: '[Amplitude] Web Vitals',
  exposure: '$exposure',
} as const

/** Event types that are stored; all others are dropped. */
export const STORED_EVENT_TYPES: readonly string[] = [
  ...Object.values(AUTOMATIC_EVENTS),
  ...Object.values(ANALYTICS_EVENTS),
]

/**
 * Frequent automatic events, which `ANALYTICS_SAMPLE` samples by browser. Failed requests are errors, so they are not
 * sampled.
 */
export const SAMPLED_EVENT_TYPES: readonly string[] = [
  AUTOMATIC_EVENTS.sessionStart,
  AUTOMATIC_EVENTS.sessionEnd,
  AUTOMATIC_EVENTS.pageViewed,
  AUTOMATIC_EVENTS.deadClick,
  AUTOMATIC_EVENTS.rageClick,
  AUTOMATIC_EVENTS.webVitals,
]

export const METRICS = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB'] as const

type AnalyticsProp = (typeof ANALYTICS_PROPS)[number]

export const NUMERIC_PROP_MAX: Readonly<Partial<Record<AnalyticsProp, number>>> = {
  ms: DAY_MS,
  value: DAY_MS,
  status: 599,
}

/**
 * Allowed words per property, so that no personal text is stored. The edge also allows the key of the configured
 * experiment (`flag`) and call patterns such as `/api/v2/subscriptions/{uuid}` (`target`).
 */
export const ALLOWED_PROP_WORDS: Readonly<Partial<Record<AnalyticsProp, readonly string[]>>> = {
  metric: METRICS,
  rating: ['good', 'needs-improvement', 'poor'],
  method: [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'password',
    'passkey',
    'relay',
    'direct',
    'card',
    'wallet',
    'balance',
  ],
  target: [
    ...Object.keys(ENDPOINT_GROUPS),
    'a',
    'button',
    'input',
    'label',
    'select',
    'summary',
    'textarea',
    'video',
    'canvas',
    'img',
    'svg',
    'other',
  ],
  variant: VARIANTS,
  plan: SKUS,
  period: PERIODS,
}

/** Event as the browser sends it. Times in ms UTC. */
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
