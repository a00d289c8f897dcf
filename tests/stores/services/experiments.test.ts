import { ExperimentClient } from '@amplitude/experiment-js-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Experiments } from '../../../src/services/experiments.ts'
import { isFirstExposure, claimCachedVariants } from '../../../src/stores/storage/analytics-opt-out.ts'
import { clearBrowserState, ORIGIN } from '../../support/analytics.ts'

interface SentRequest {
  readonly path: string
  readonly at: number
  readonly init: RequestInit
}

interface Backoff {
  readonly min: number
  readonly max: number
  readonly scalar: number
  cancel(): void
  start(task: () => Promise<never>): Promise<void>
}

let flagCount = 0
let requests: SentRequest[] = []
let respond: (path: string) => Promise<Response>
let stop = (): void => {}
beforeEach(() => {
  vi.useFakeTimers()
  requests = []
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  clearBrowserState()
})

const buildFlag = (key: string) => ({
  key,
  variants: { control: { key: 'control', value: 'control' }, off: { key: 'off', metadata: { default: true } } },
  segments: [{ variant: 'off' }],
  metadata: { evaluationMode: 'remote', flagType: 'experiment', deployed: true },
})

/**
 * Creates the experiment client of a page, with a new flag by default. To simulate the next page, pass the same `flag`.
 */
function createExperiments(expose = vi.fn(() => true), pollMs?: number, flag = `flag-${flagCount++}`) {
  respond = (path) =>
    Promise.resolve(
      Response.json(path.endsWith('/flags') ? [buildFlag(flag)] : { [flag]: { key: 'treatment', value: 'treatment' } }),
    )
  const startedAt = Date.now()
  const fetch = (url: string, init: RequestInit) => {
    const path = new URL(url).pathname
    requests.push({ path, at: Date.now() - startedAt, init })
    return respond(path)
  }
  const ports = {
    origin: ORIGIN,
    flag,
    fetch,
    reportExposure: expose,
    isSamePerson: claimCachedVariants,
    isFirstShown: isFirstExposure,
    ...(pollMs && { pollMs }),
  }
  const experiments = new Experiments(ports)
  stop = () => experiments.stop()
  return { experiments, flag, expose }
}

function rejectVariants(status: number): void {
  const usual = respond
  respond = (path) => (path.endsWith('/flags') ? usual(path) : Promise.resolve(new Response(null, { status })))
}

/** Returns a promise that never resolves, and that rejects when the signal of the request aborts. */
const neverRespond = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('The request was aborted.'))),
  )

const requestsFor = (name: string) => requests.filter(({ path }) => path === `/t/experiment/sdk/v2/${name}`)
const readHeader = ({ init }: SentRequest, name: string) => new Headers(init.headers).get(name) ?? ''
const decodePerson = (request: SentRequest) => JSON.parse(atob(readHeader(request, 'x-amp-exp-user'))) as unknown
async function startExperiments(experiments: Experiments, person = {}) {
  const variant = experiments.start(person)
  await vi.advanceTimersByTimeAsync(500)
  return variant
}

describe('experiment client', () => {
  test.each([[{ user_id: 'user_1a', device_id: 'd1' }], [{ device_id: 'd1' }]])(
    'EXPERIMENT-01 CALL-69 CALL-70 requests the variant of %j and of nothing else, with its key',
    async (person) => {
      const { experiments } = createExperiments()
      expect(await startExperiments(experiments, person)).toBe('treatment')
      const [variants] = requestsFor('vardata')
      expect(decodePerson(variants!)).toEqual(person)
      for (const request of [variants!, requestsFor('flags')[0]!])
        expect(readHeader(request, 'authorization')).toBe('Api-Key web-portal')
      for (const { init } of requests)
        expect(JSON.stringify([...new Headers(init.headers)])).not.toMatch(/localhost|jsdom/)
    },
  )

  test('EXPERIMENT-03 requests the flags every five minutes', async () => {
    const { experiments } = createExperiments()
    await startExperiments(experiments)
    const before = requestsFor('flags').length
    await vi.advanceTimersByTimeAsync(299_000)
    expect(requestsFor('flags')).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1000)
    expect(requestsFor('flags')).toHaveLength(before + 1)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(requestsFor('flags')).toHaveLength(before + 3)
  })

  test('EXPERIMENT-04 never polls more often than once a minute', async () => {
    const { experiments } = createExperiments(undefined, 10_000)
    await startExperiments(experiments)
    const before = requestsFor('flags').length
    await vi.advanceTimersByTimeAsync(59_000)
    expect(requestsFor('flags')).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1000)
    expect(requestsFor('flags')).toHaveLength(before + 1)
  })

  test('EXPERIMENT-05 waits ten seconds for a response', async () => {
    // Make `AbortSignal.timeout` use the fake clock.
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), ms)
      return controller.signal
    })
    const { experiments } = createExperiments()
    await startExperiments(experiments, { user_id: 'user_1a' })
    expect(limit).toHaveBeenCalledWith(10_000)
    experiments.stop()
    const usual = respond
    respond = (path) => (path.endsWith('/flags') ? usual(path) : neverRespond(requests.at(-1)!.init))
    const late = experiments.start({ user_id: 'user_1a' })
    await vi.advanceTimersByTimeAsync(9000)
    let isDone = false
    void late.then(() => (isDone = true))
    await vi.advanceTimersByTimeAsync(900)
    expect(isDone).toBe(false)
    await vi.advanceTimersByTimeAsync(1100)
    // The previous variant still applies.
    expect(await late).toBe('treatment')
  })

  test('EXPERIMENT-06 EXPERIMENT-07 retries eight times with a growing delay', async () => {
    const { experiments } = createExperiments()
    rejectVariants(503)
    void experiments.start({ user_id: 'user_2b' })
    await vi.advanceTimersByTimeAsync(120_000)
    const times = requestsFor('vardata').map(({ at }) => at)
    const waits = times.slice(1).map((at, n) => at - times[n]!)
    expect(waits).toHaveLength(8)
    // The fake clock rounds to whole milliseconds.
    for (const [n, wait] of waits.entries()) expect(Math.abs(wait - 500 * 1.5 ** n)).toBeLessThanOrEqual(1)
  })

  test.each([
    [304, 9],
    [400, 1],
    [404, 1],
    [428, 1],
    [429, 9],
    [430, 1],
    [499, 1],
    [500, 9],
    [599, 9],
  ])('EXPERIMENT-08 on status %d sends the request %d times', async (status, times) => {
    const { experiments } = createExperiments()
    rejectVariants(status)
    void experiments.start({ user_id: 'user_2b' })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(requestsFor('vardata')).toHaveLength(times)
  })

  test('EXPERIMENT-07 never waits longer than ten seconds before a retry', async () => {
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
  })

  test('OPEN-105 without a response has no variant, or keeps the last known one', async () => {
    const { experiments, flag } = createExperiments()
    const down = () => Promise.reject(new TypeError('Failed to fetch'))
    respond = down
    expect(await startExperiments(experiments, { device_id: 'd1' })).toBeNull()
    experiments.stop()
    expect(await startExperiments(createExperiments(undefined, undefined, flag).experiments, { device_id: 'd1' })).toBe(
      'treatment',
    )
    stop()
    const next = createExperiments(undefined, undefined, flag)
    respond = down
    expect(await startExperiments(next.experiments, { device_id: 'd1' })).toBe('treatment')
  })

  test('does not use the variant of the previous user without a response', async () => {
    const { experiments, flag } = createExperiments()
    expect(await startExperiments(experiments, { device_id: 'd1' })).toBe('treatment')
    stop()
    const next = createExperiments(undefined, undefined, flag)
    rejectVariants(404)
    expect(await startExperiments(next.experiments, { user_id: 'user_1a', device_id: 'd1' })).toBeNull()
  })

  test('reports an exposure once, however often it is shown in any number of documents of a tab', async () => {
    const expose = vi.fn(() => true)
    const { experiments, flag } = createExperiments(expose)
    for (const instance of [experiments, createExperiments(expose, undefined, flag).experiments]) {
      await startExperiments(instance, { user_id: 'user_1a' })
      for (let n = 0; n < 3; n++) instance.expose()
      await vi.advanceTimersByTimeAsync(3000)
      instance.stop()
    }
    expect(expose.mock.calls).toEqual([[flag, 'treatment']])
    const other = createExperiments(expose, undefined, flag).experiments
    await startExperiments(other, { user_id: 'user_2b' })
    other.expose()
    await vi.advanceTimersByTimeAsync(3000)
    expect(expose).toHaveBeenCalledTimes(2)
  })

  test('stores nothing about the page or its owner', async () => {
    history.replaceState(null, '', '/plans?code=CANARY')
    const { experiments } = createExperiments()
    await startExperiments(experiments, { user_id: 'user_1a' })
    experiments.expose()
    const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
    expect(stored).not.toMatch(/CANARY|plans|en-US/)
    history.replaceState(null, '', '/')
  })

  test('EXPERIMENT-09 keeps the last 512 exposures that were not accepted, and reports them later', async () => {
    let takes = false
    const { experiments, expose, flag } = createExperiments(vi.fn(() => takes))
    for (let n = 0; n < 515; n++) {
      await startExperiments(experiments, { user_id: `user_${n}` })
      experiments.expose()
      experiments.stop()
    }
    expect(JSON.parse(localStorage.getItem(`EXP_unsent_${flag}`) ?? '[]')).toHaveLength(512)
    takes = true
    expose.mockClear()
    await vi.advanceTimersByTimeAsync(2000)
    expect(expose).toHaveBeenCalledTimes(512)
    expect(localStorage.getItem(`EXP_unsent_${flag}`)).toBeNull()
  })
})
