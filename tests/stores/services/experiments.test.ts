import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Variant } from '../../../contract/telemetry/telemetry-calls.ts'
import { parseVariant, type Experiment } from '../../../src/services/experiments.ts'
import {
  claimCachedVariants,
  isFirstExposure,
  readVariant,
  writeVariant,
} from '../../../src/stores/storage/analytics-opt-out.ts'
import { CLIENT_NAMES, CLIENTS, clearBrowserState, ORIGIN } from '../../support/analytics.ts'

interface SentRequest {
  readonly path: string
  readonly at: number
  readonly init: RequestInit
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
async function startExperiments(experiments: Experiment, person = {}) {
  const variant = experiments.start(person)
  await vi.advanceTimersByTimeAsync(500)
  return variant
}

describe.each(CLIENT_NAMES)('experiment client (%s)', (client) => {
  /**
   * Creates the experiment client of a page, with a new flag by default. To simulate the next page, pass the same `flag`.
   */
  function createExperiments(expose = vi.fn(), pollMs?: number, flag = `flag-${flagCount++}`) {
    respond = (path) =>
      Promise.resolve(
        Response.json(
          path.endsWith('/flags') ? [buildFlag(flag)] : { [flag]: { key: 'treatment', value: 'treatment' } },
        ),
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
      readVariant: () => parseVariant(readVariant(null)?.variant),
      writeVariant: (variant: Variant | null) => writeVariant(flag, variant, null),
      ...(pollMs && { pollMs }),
    }
    const experiments = CLIENTS[client].createExperiment(ports)
    stop = () => experiments.stop()
    return { experiments, flag, expose }
  }

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
    const expose = vi.fn()
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

  test('stops its requests and retries when it is stopped', async () => {
    const { experiments } = createExperiments()
    rejectVariants(503)
    await startExperiments(experiments, { user_id: 'user_1a' })
    experiments.stop()
    const before = requests.length
    await vi.advanceTimersByTimeAsync(600_000)
    expect(requests).toHaveLength(before)
  })
})
