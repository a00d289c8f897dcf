import { describe, expect, test } from 'vitest'
import { FairQueue, type FairQueueEntry } from '../../../../../provider/identity/sign-in/fair-queue.ts'

/**
 * Queues sign-ins: `places` is the number of sign-ins per client network. The queue treats `knownNetworks` as known.
 */
function queue(
  places: Readonly<Record<string, number>>,
  knownNetworks: string[] = [],
): { turns: FairQueue; waiting: FairQueueEntry[] } {
  const turns = new FairQueue()
  const waiting = Object.entries(places).flatMap(([place, count]) =>
    Array.from({ length: count }, () => turns.enter(place, 0, knownNetworks.includes(place))),
  )
  return { turns, waiting: waiting.filter((turn) => turn !== null) }
}

/**
 * Tries every 10 ms (simulated) to start a waiting sign-in, and finishes it immediately. Returns the client network and
 * start time of each sign-in, in the order of their starts.
 */
function work({ turns, waiting }: ReturnType<typeof queue>): { place: string; at: number }[] {
  const left = [...waiting]
  const began: { place: string; at: number }[] = []
  for (let now = 0; left.length > 0; now += 10) {
    const turn = left.find((candidate) => turns.tryStart(candidate, now))
    if (!turn) continue
    left.splice(left.indexOf(turn), 1)
    began.push({ place: turn.place, at: now })
    turns.done(turn, now)
  }
  return began
}

describe('the fair queue', () => {
  test('runs one sign-in at a time, and starts the next when it is done', () => {
    const { turns, waiting } = queue({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    expect([turns.tryStart(second, 0), turns.tryStart(first, 0), turns.tryStart(second, 1)]).toEqual([
      false,
      true,
      false,
    ])
    turns.done(first, 2)
    expect(turns.tryStart(second, 2)).toBe(true)
  })

  test('makes a network with one sign-in wait for only one of a busy network, whenever it arrives', () => {
    const places = work(queue({ many: 8, few: 1, other: 1 })).map(({ place }) => place)
    expect(places.slice(0, 4)).toEqual(['many', 'few', 'other', 'many'])
    expect(places).toHaveLength(10)
  })

  test('serves a returning network again, however many new networks arrive after it', () => {
    const turns = new FairQueue()
    const fresh = (n: number) => turns.enter(`new ${n}`, 0) as FairQueueEntry
    const serve = (turn: FairQueueEntry) => (
      expect(turns.tryStart(turn, 0)).toBe(true),
      turns.done(turn, 0, { idle: true })
    )
    const [before, first] = [fresh(0), turns.enter('person', 0) as FairQueueEntry]
    serve(before)
    const waiting = [fresh(1), fresh(2)]
    serve(first)
    const again = turns.enter('person', 0) as FairQueueEntry
    let served = 0
    for (let n = 3; !turns.tryStart(again, 0); n++) {
      waiting.push(fresh(n))
      serve(waiting.shift() as FairQueueEntry)
      expect((served += 1)).toBeLessThan(5)
    }
  })

  test('pauses between two sign-ins during overload, but not with only a few', () => {
    const times = work(queue({ a: 10, b: 10 })).map(({ at }) => at)
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0))
    expect(gaps.slice(0, 6)).toEqual([2500, 2500, 2500, 2500, 2500, 2500])
    expect(gaps.slice(-12).every((gap) => gap <= 10)).toBe(true)
  })

  test('also pauses when more sign-ins arrive than it accepts', () => {
    const { turns, waiting } = queue({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    turns.tryStart(first, 0)
    turns.done(first, 0, { crowded: true })
    expect([turns.tryStart(second, 2499), turns.tryStart(second, 2500)]).toEqual([false, true])
  })

  test('accepts at most sixty, until it drops clients that left', () => {
    const { turns, waiting } = queue(Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`place ${n}`, 1])))
    expect(waiting).toHaveLength(60)
    expect(turns.enter('b', 4000)).toBeNull()
    const later = turns.enter('b', 5001)
    expect(later && turns.tryStart(later, 5001)).toBe(true)
  })

  test('accepts at most twelve from one network', () => {
    const { turns, waiting } = queue({ a: 20, b: 1 })
    expect(waiting.map(({ place }) => place)).toEqual([...Array.from({ length: 12 }, () => 'a'), 'b'])
    expect(turns.enter('a', 1)).toBeNull()
  })

  test('accepts a known browser when it is full for others, and serves it first', () => {
    const strangers = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`place ${n}`, 1]))
    const { turns, waiting } = queue({ ...strangers, browser: 2 }, ['browser'])
    expect(waiting).toHaveLength(62)
    expect(
      work({ turns, waiting })
        .map(({ place }) => place)
        .slice(0, 3),
    ).toEqual(['browser', 'browser', 'place 0'])
  })

  test('starts the next sign-in immediately after one without expensive work, even during overload', () => {
    const { turns, waiting } = queue({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    turns.tryStart(first, 0)
    turns.done(first, 0, { crowded: true, idle: true })
    expect(turns.tryStart(second, 1)).toBe(true)
  })

  test('a client that could not poll for a while loses only its position', () => {
    const { turns, waiting } = queue({ a: 2 })
    const [first, second] = waiting as [FairQueueEntry, FairQueueEntry]
    expect(turns.tryStart(second, 60_000)).toBe(true)
    turns.done(second, 60_000)
    expect(turns.tryStart(first, 60_001)).toBe(true)
  })

  test('is not blocked by a client that left during its turn', () => {
    const { turns, waiting } = queue({ a: 1 })
    expect(turns.tryStart(waiting[0] as FairQueueEntry, 0)).toBe(true)
    const next = turns.enter('b', 10)
    expect(next && turns.tryStart(next, 4000)).toBe(false)
    expect(next && turns.tryStart(next, 5001)).toBe(true)
  })
})
