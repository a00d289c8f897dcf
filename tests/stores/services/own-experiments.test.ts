import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Experiment } from '../../../src/services/experiments.ts'
import { getRetryDelayMs } from '../../../src/services/retry-policy.ts'
import { claimCachedVariants, isFirstExposure } from '../../../src/stores/storage/analytics-opt-out.ts'
import { CLIENTS, clearBrowserState, ORIGIN } from '../../support/analytics.ts'

let stop = (): void => {}
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  stop()
  vi.useRealTimers()
  clearBrowserState()
})

async function startExperiments(experiments: Experiment, person = {}) {
  const variant = experiments.start(person)
  await vi.advanceTimersByTimeAsync(500)
  return variant
}

describe('the portal’s own experiment client', () => {
  const createClient = () => {
    let flags: unknown = [{ key: 'sample' }]
    let variant = 'control'
    const stored: unknown[] = []
    const reportExposure = vi.fn()
    const experiments = CLIENTS.own.createExperiment({
      origin: ORIGIN,
      flag: 'sample',
      fetch: (url) => Promise.resolve(Response.json(url.includes('/flags') ? flags : { sample: { value: variant } })),
      reportExposure,
      isSamePerson: claimCachedVariants,
      isFirstShown: isFirstExposure,
      readVariant: () => null,
      writeVariant: (next) => void stored.push(next),
    })
    stop = () => experiments.stop()
    const changeExperiment = () => {
      flags = [{ key: 'sample', version: 2 }]
      variant = 'treatment'
    }
    return { experiments, stored, reportExposure, changeExperiment }
  }

  test('fetches the variant for the next document again when the flags change', async () => {
    const { experiments, stored, reportExposure, changeExperiment } = createClient()
    expect(await startExperiments(experiments, { device_id: 'd1' })).toBe('control')
    await vi.advanceTimersByTimeAsync(300_000)
    expect(stored).toEqual(['control'])
    changeExperiment()
    await vi.advanceTimersByTimeAsync(300_000)
    expect(stored).toEqual(['control', 'treatment'])
    // This document still shows the first variant.
    experiments.expose()
    expect(reportExposure.mock.calls).toEqual([['sample', 'control']])
  })

  test.each(['<h1>Hi</h1>', '7', 'null'])('OPEN-104 does not retry a response 200 with the body %s', async (body) => {
    const fetch = vi.fn(() => Promise.resolve(new Response(body)))
    const experiments = CLIENTS.own.createExperiment({
      origin: ORIGIN,
      flag: 'sample',
      fetch,
      reportExposure: () => {},
      isSamePerson: () => true,
      isFirstShown: () => true,
      readVariant: () => 'treatment',
      writeVariant: () => {},
    })
    stop = () => experiments.stop()
    expect(await startExperiments(experiments, { device_id: 'd1' })).toBe('treatment')
    await vi.advanceTimersByTimeAsync(60_000)
    // The flags and the variant, once each.
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  test('EXPERIMENT-07 waits at most ten seconds before a retry', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((retry) => Math.round(getRetryDelayMs(retry)))).toEqual([
      500, 750, 1125, 1688, 2531, 3797, 5695, 8543,
    ])
    expect(getRetryDelayMs(8)).toBe(10_000)
  })
})
