import { describe, expect, test } from 'vitest'
import { CLSThresholds, FCPThresholds, INPThresholds, LCPThresholds, TTFBThresholds } from 'web-vitals'
import { rateMetric, VITAL_LIMITS, type Metric } from '../../../../contract/telemetry/web-vitals.ts'
import { getNewcombeInterval, getWilsonInterval } from '../../../../contract/telemetry/confidence-intervals.ts'

/** Amount by which a test value exceeds a limit, in the unit of the metric. */
const METRIC_STEP: Readonly<Record<Metric, number>> = { FCP: 1, LCP: 1, CLS: 0.01, INP: 1, TTFB: 1 }

test.each([
  ['ANALYTICS-13', 'FCP', 1800, 3000],
  ['ANALYTICS-14', 'LCP', 2500, 4000],
  ['ANALYTICS-15', 'CLS', 0.1, 0.25],
  ['ANALYTICS-16', 'INP', 200, 500],
  ['ANALYTICS-17', 'TTFB', 800, 1800],
] as const)('%s %s is good up to %d and poor above %d', (_, metric, good, poor) => {
  expect(
    [good, good + METRIC_STEP[metric], poor, poor + METRIC_STEP[metric]].map((value) => rateMetric(metric, value)),
  ).toEqual(['good', 'needs-improvement', 'needs-improvement', 'poor'])
})

test('pages rate metrics by the same limits as the library that measures them', () => {
  const library = {
    FCP: FCPThresholds,
    LCP: LCPThresholds,
    CLS: CLSThresholds,
    INP: INPThresholds,
    TTFB: TTFBThresholds,
  }
  expect(VITAL_LIMITS).toEqual(library)
})

describe('95 percent confidence intervals', () => {
  const formatInterval = ({ low, high }: { low: number; high: number }) => [low.toFixed(4), high.toFixed(4)]

  test.each([
    [81, 263, ['0.2553', '0.3662']],
    [15, 148, ['0.0624', '0.1605']],
    [0, 20, ['0.0000', '0.1611']],
    [1, 29, ['0.0061', '0.1718']],
  ])('of %d of %d match those that Newcombe published for Wilson’s score', (hits, count, printed) => {
    expect(formatInterval(getWilsonInterval(hits, count))).toEqual(printed)
  })

  test.each([
    [56, 70, 48, 80, ['0.0524', '0.3339']],
    [9, 10, 3, 10, ['0.1705', '0.8090']],
    [10, 10, 0, 20, ['0.6791', '1.0000']],
  ])(
    'of the difference of %d of %d and %d of %d match those that Newcombe published',
    (hits, count, other, others, printed) => {
      expect(formatInterval(getNewcombeInterval(hits, count, other, others))).toEqual(printed)
    },
  )

  test('span the whole range when nothing was counted', () => {
    expect(getWilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
    expect(getNewcombeInterval(1, 2, 0, 0)).toEqual({ low: -1, high: 1 })
  })
})
