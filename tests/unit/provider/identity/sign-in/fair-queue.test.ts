import { describe, expect, test } from 'vitest'
import { FairQueue, type FairQueueEntry } from '../../../../../provider/identity/sign-in/fair-queue.ts'

/** Queues `signInCounts` sign-ins of each client network. Sign-ins of `knownNetworks` come from known browsers. */
function queueSignIns(
  signInCounts: Readonly<Record<string, number>>,
  knownNetworks: string[] = [],
): { fairQueue: FairQueue; waiting: FairQueueEntry[] } {
  const fairQueue = new FairQueue()
  const waiting = Object.entries(signInCounts).flatMap(([place, count]) =>
    Array.from({ length: count }, () => fairQueue.enter(place, 0, knownNetworks.includes(place))),
  )
  return { fairQueue, waiting: waiting.filter((entry) => entry !== null) }
}

/**
 * Tries to start a waiting sign-in every 10 ms of simulated time, and finishes it immediately. Returns the client
 * network and start time of each sign-in, in start order.
 */
function runSignIns({ fairQueue, waiting }: ReturnType<typeof queueSignIns>): { place: string; at: number }[] {
  const remaining = [...waiting]
  const starts: { place: string; at: number }[] = []
  for (let now = 0; remaining.length > 0; now += 10) {
    const entry = remaining.find((candidate) => fairQueue.tryStart(candidate, now))
    if (!entry) continue
    remaining.splice(remaining.indexOf(entry), 1)
    starts.push({ place: entry.place, at: now })
    fairQueue.finish(entry, now)
  }
  return starts
}

describe('the fair queue', () => {
  test('runs one sign-in at a time, and starts the next when it is done', () => {
    const { fairQueue, waiting } = queueSignIns({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    expect([fairQueue.tryStart(second, 0), fairQueue.tryStart(first, 0), fairQueue.tryStart(second, 1)]).toEqual([
      false,
      true,
      false,
    ])
    fairQueue.finish(first, 2)
    expect(fairQueue.tryStart(second, 2)).toBe(true)
  })

  test('makes a network with one sign-in wait for only one of a busy network, whenever it arrives', () => {
    const networks = runSignIns(queueSignIns({ many: 8, few: 1, other: 1 })).map(({ place }) => place)
    expect(networks.slice(0, 4)).toEqual(['many', 'few', 'other', 'many'])
    expect(networks).toHaveLength(10)
  })

  test('serves a returning network again, however many new networks arrive after it', () => {
    const fairQueue = new FairQueue()
    const enterNewNetwork = (n: number) => fairQueue.enter(`new ${n}`, 0) as FairQueueEntry
    const serve = (entry: FairQueueEntry) => (
      expect(fairQueue.tryStart(entry, 0)).toBe(true),
      fairQueue.finish(entry, 0, { idle: true })
    )
    const [before, first] = [enterNewNetwork(0), fairQueue.enter('person', 0) as FairQueueEntry]
    serve(before)
    const waiting = [enterNewNetwork(1), enterNewNetwork(2)]
    serve(first)
    const again = fairQueue.enter('person', 0) as FairQueueEntry
    let served = 0
    for (let n = 3; !fairQueue.tryStart(again, 0); n++) {
      waiting.push(enterNewNetwork(n))
      serve(waiting.shift() as FairQueueEntry)
      expect((served += 1)).toBeLessThan(5)
    }
  })

  test('pauses between two sign-ins during overload, but not with only a few', () => {
    const times = runSignIns(queueSignIns({ a: 10, b: 10 })).map(({ at }) => at)
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0))
    expect(gaps.slice(0, 6)).toEqual([2500, 2500, 2500, 2500, 2500, 2500])
    expect(gaps.slice(-12).every((gap) => gap <= 10)).toBe(true)
  })

  test('also pauses when more sign-ins arrive than it accepts', () => {
    const { fairQueue, waiting } = queueSignIns({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    fairQueue.tryStart(first, 0)
    fairQueue.finish(first, 0, { crowded: true })
    expect([fairQueue.tryStart(second, 2499), fairQueue.tryStart(second, 2500)]).toEqual([false, true])
  })

  test('accepts at most sixty, until it drops clients that left', () => {
    const { fairQueue, waiting } = queueSignIns(
      Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`place ${n}`, 1])),
    )
    expect(waiting).toHaveLength(60)
    expect(fairQueue.enter('b', 4000)).toBeNull()
    const later = fairQueue.enter('b', 5001)
    expect(later && fairQueue.tryStart(later, 5001)).toBe(true)
  })

  test('accepts at most twelve from one network', () => {
    const { fairQueue, waiting } = queueSignIns({ a: 20, b: 1 })
    expect(waiting.map(({ place }) => place)).toEqual([...Array.from({ length: 12 }, () => 'a'), 'b'])
    expect(fairQueue.enter('a', 1)).toBeNull()
  })

  test('accepts a known browser when it is full for others, and serves it first', () => {
    const otherNetworks = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`place ${n}`, 1]))
    const { fairQueue, waiting } = queueSignIns({ ...otherNetworks, browser: 2 }, ['browser'])
    expect(waiting).toHaveLength(62)
    expect(
      runSignIns({ fairQueue, waiting })
        .map(({ place }) => place)
        .slice(0, 3),
    ).toEqual(['browser', 'browser', 'place 0'])
  })

  test('starts the next sign-in immediately after one without expensive work, even during overload', () => {
    const { fairQueue, waiting } = queueSignIns({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    fairQueue.tryStart(first, 0)
    fairQueue.finish(first, 0, { crowded: true, idle: true })
    expect(fairQueue.tryStart(second, 1)).toBe(true)
  })

  test('a client that could not poll for a while loses only its position', () => {
    const { fairQueue, waiting } = queueSignIns({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    expect(fairQueue.tryStart(second, 60_000)).toBe(true)
    fairQueue.finish(second, 60_000)
    expect(fairQueue.tryStart(first, 60_001)).toBe(true)
  })

  test('is not blocked by a client that left during its turn', () => {
    const { fairQueue, waiting } = queueSignIns({ a: 1 })
    expect(fairQueue.tryStart(waiting[0] as FairQueueEntry, 0)).toBe(true)
    const next = fairQueue.enter('b', 10)
    expect(next && fairQueue.tryStart(next, 4000)).toBe(false)
    expect(next && fairQueue.tryStart(next, 5001)).toBe(true)
  })
})
