import type { METRICS } from './analytics-events.ts'

export type Metric = (typeof METRICS)[number]

/**
 * Limits of each metric in ms (CLS: no unit). Values up to the first limit are good, and values above the second are
 * poor (ANALYTICS-13 to ANALYTICS-17).
 */
export const VITAL_LIMITS: Readonly<Record<Metric, readonly [good: number, poor: number]>> = {
  FCP: [1800, 3000],
  LCP: [2500, 4000],
  CLS: [0.1, 0.25],
  INP: [200, 500],
  TTFB: [800, 1800],
}

export type Rating = 'good' | 'needs-improvement' | 'poor'

export function rateMetric(metric: Metric, value: number): Rating {
  const [good, poor] = VITAL_LIMITS[metric]
  if (value <= good) return 'good'
  return value > poor ? 'poor' : 'needs-improvement'
}
