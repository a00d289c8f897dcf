import { ExperimentClient } from '@amplitude/experiment-js-client'
import { expect, test, vi } from 'vitest'

interface Backoff {
  readonly min: number
  readonly max: number
  readonly scalar: number
  cancel(): void
  start(task: () => Promise<never>): Promise<void>
}

test('EXPERIMENT-07 the library waits at most ten seconds before a retry', async () => {
  vi.useFakeTimers()
  const httpClient = { request: () => Promise.resolve({ status: 503, body: '' }) }
  const client = new ExperimentClient('key', { httpClient, pollOnStart: false, logLevel: 0, instanceName: 'cap' })
  await client.fetch({ user_id: 'user_1a' })
  // Starts the library's backoff at nine seconds: from the default of 500 ms, eight attempts do not reach the maximum
  // delay of ten seconds.
  const { retriesBackoff: own } = client as unknown as { retriesBackoff: Backoff }
  own.cancel()
  const { min, max, scalar } = own
  expect({ min, max, scalar }).toEqual({ min: 500, max: 10_000, scalar: 1.5 })
  const times: number[] = []
  const fail = () => (times.push(Date.now()), Promise.reject(new Error('503')))
  const startedAt = Date.now()
  void new (own.constructor as new (...args: number[]) => Backoff)(4, 9000, max, scalar).start(fail)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(times.map((at) => at - startedAt)).toEqual([9000, 19_000, 29_000, 39_000])
  vi.useRealTimers()
})
