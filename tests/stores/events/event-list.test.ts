import { describe, expect, test } from 'vitest'
import { EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event, EventResource } from '../../../contract/events/events.ts'
import type { RequestFailure, Result } from '../../../src/api/result.ts'
import type { Span } from '../../../src/domain/time/date-range.ts'
import { createEventList } from '../../../src/stores/events/event-list.ts'
import { loadSpan } from '../../../src/stores/events/load-event-span.ts'

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime()
const NOW = at(20, 12)
const TWO_WEEKS: Span = { begin: at(7, 0), end: at(21, 0) - 1 }
const CLIP: EventResource = {
  begin_time: at(20, 9),
  end_time: at(20, 9) + 18_000,
  resource_version: 1,
  resource_type: 's3',
}

function anEvent(event_id: string, event_ts: number, more: Partial<Event> = {}): Event {
  return {
    event_id,
    device_id: 'CAM1',
    event_ts,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
    ...more,
  }
}
const failure = (code: string): RequestFailure => ({ ok: false, code, msg: '', kind: 'ERR_BAD_RESPONSE', status: 200 })
const within =
  (events: readonly Event[]) =>
  ({ begin, end }: Span) =>
    events.filter(({ event_ts }) => event_ts >= begin && event_ts <= end)
const settle = () => new Promise((resolve) => setTimeout(resolve))

/** Fakes a provider whose responses the test releases one by one. */
function setUp(events: Event[], accepts: (event: Event) => boolean = () => true) {
  const open: { span: Span; answer: (result?: Result<readonly Event[]>) => Promise<unknown> }[] = []
  const failures: RequestFailure[] = []
  const list = createEventList({
    now: () => NOW,
    accepts,
    isOpen: () => true,
    onFailure: (failed) => failures.push(failed),
    ask: (span) =>
      new Promise((resolve) => {
        open.push({
          span,
          answer: (result = { ok: true, data: within(events)(span) }) => (resolve(result), settle()),
        })
      }),
  })
  const ids = () => {
    const state = list.$list.get()
    return state.state === 'ready' ? state.events.map((event) => event.event_id) : state.state
  }
  return { list, open, ids, failures }
}

async function loaded(events: Event[], accepts?: (event: Event) => boolean) {
  const page = setUp(events, accepts)
  void page.list.load(TWO_WEEKS)
  await page.open[0]?.answer()
  await page.open[1]?.answer()
  page.open.length = 0
  return page
}

const TODAY = anEvent('today', at(20, 9))
const EARLIER = anEvent('earlier', at(12, 9))

describe('the event list', () => {
  test('requests the newest day and the rest concurrently and shows the newest day first', async () => {
    const { list, open, ids } = setUp([TODAY, EARLIER])
    void list.load(TWO_WEEKS)
    expect(open.map(({ span }) => [span.begin, span.end])).toEqual([
      [at(7, 0), at(20, 0) - 1],
      [at(20, 0), at(21, 0) - 1],
    ])
    await open[1]?.answer()
    expect([ids(), list.$list.get()]).toEqual([['today'], expect.objectContaining({ filling: true })])
    await open[0]?.answer()
    expect([ids(), list.$list.get()]).toEqual([
      ['today', 'earlier'],
      expect.objectContaining({ filling: false, shortfall: null }),
    ])
  })

  test('stays in its loading state while only the older days have arrived', async () => {
    const { list, open, ids } = setUp([TODAY, EARLIER])
    void list.load(TWO_WEEKS)
    await open[0]?.answer()
    expect(ids()).toBe('loading')
  })

  test('ignores the response to a request that was replaced by another', async () => {
    const { list, open, ids } = setUp([TODAY, EARLIER])
    void list.load(TWO_WEEKS)
    void list.load({ begin: at(12, 0), end: at(13, 0) - 1 })
    await open[2]?.answer()
    await open[1]?.answer()
    await open[0]?.answer()
    expect(ids()).toEqual(['earlier'])
  })

  test('fails with the error code when the newest day cannot be loaded', async () => {
    const { list, open } = setUp([])
    void list.load(TWO_WEEKS)
    await open[1]?.answer(failure('ERR_NETWORK'))
    expect(list.$list.get()).toEqual({ state: 'failed', failure: failure('ERR_NETWORK') })
  })

  test('keeps the newest day and reports that older ones are missing when only those fail', async () => {
    const { list, open, ids } = setUp([TODAY])
    void list.load(TWO_WEEKS)
    await open[1]?.answer()
    await open[0]?.answer(failure('503'))
    expect([ids(), list.$list.get()]).toEqual([
      ['today'],
      expect.objectContaining({ shortfall: { kind: 'older-missing', failure: failure('503') } }),
    ])
  })
})

describe('a request that is too large', () => {
  test('is retried for half the range, and the list reports how far it reaches', async () => {
    const { list, open, ids } = setUp([TODAY, anEvent('near', at(18, 0)), EARLIER])
    void list.load(TWO_WEEKS)
    await open[1]?.answer()
    await open[0]?.answer(failure('3056'))
    expect(ids()).toEqual(['today'])
    const half = open[2]?.span.begin ?? 0
    expect(half).toBe(Math.ceil((at(7, 0) + at(20, 0) - 1) / 2))
    await open[2]?.answer()
    expect([ids(), list.$list.get()]).toEqual([
      ['today', 'near'],
      expect.objectContaining({
        shortfall: { kind: 'too-large', covered: { begin: half, end: TWO_WEEKS.end }, failure: failure('3056') },
      }),
    ])
  })

  test('fails with 3056 when the 32nd part is still too large', async () => {
    const spans: Span[] = []
    const answer = await loadSpan((span) => (spans.push(span), Promise.resolve(failure('3056'))), {
      begin: 0,
      end: 3200,
    })
    expect([answer.ok, spans.length, (spans.at(-1)?.end ?? 0) - (spans.at(-1)?.begin ?? 0)]).toEqual([false, 6, 100])
  })
})

describe('more than 10,000 events', () => {
  test('are requested again up to the oldest known event until a response is not full', async () => {
    const many = Array.from({ length: EVENT_QUERY_COUNT + 5 }, (_, i) => anEvent(`e${i}`, 1_000_000 - i))
    const ends: number[] = []
    const answer = await loadSpan(
      (span) => {
        ends.push(span.end)
        return Promise.resolve({ ok: true, data: within(many)(span).slice(0, EVENT_QUERY_COUNT) })
      },
      { begin: 0, end: 2_000_000 },
    )
    expect(answer.ok && answer.events.length).toBe(EVENT_QUERY_COUNT + 5)
    expect(ends).toEqual([2_000_000, 1_000_000 - EVENT_QUERY_COUNT + 1])
  })

  test('of a single millisecond do not cause endless requests', async () => {
    const same = Array.from({ length: EVENT_QUERY_COUNT }, (_, i) => anEvent(`e${i}`, 5))
    let questions = 0
    const answer = await loadSpan(() => (questions++, Promise.resolve({ ok: true, data: same })), { begin: 0, end: 10 })
    expect([answer.ok, questions]).toEqual([true, 2])
  })
})

describe('the event list with its feed', () => {
  test('inserts a new event in order and ignores one before the selected days', async () => {
    const { list, ids } = await loaded([TODAY, EARLIER])
    list.hear({ type: 'event', event: anEvent('fresh', NOW) })
    list.hear({ type: 'event', event: anEvent('late upload', at(15, 1)) })
    list.hear({ type: 'event', event: anEvent('too old', at(1, 1)) })
    expect(ids()).toEqual(['fresh', 'today', 'late upload', 'earlier'])
  })

  test('ignores events that the free view does not show', async () => {
    const { list, ids } = await loaded([TODAY], ({ tags }) => tags.includes('4'))
    list.hear({ type: 'event', event: anEvent('paid', NOW, { tags: ['12'] }) })
    expect(ids()).toEqual(['today'])
  })

  test('adds no current event to a past day, neither immediately nor after a reconnect', async () => {
    const { list, open, ids } = await loaded([EARLIER], ({ event_ts }) => event_ts <= at(12, 23))
    list.hear({ type: 'event', event: anEvent('fresh', NOW) })
    list.hear({ type: 'hello', now: NOW })
    await open[0]?.answer({ ok: true, data: [anEvent('fresh', NOW)] })
    expect(ids()).toEqual(['earlier'])
  })

  test('does not lose an event that arrives while the list is loading', async () => {
    const { list, open, ids } = setUp([TODAY, EARLIER])
    void list.load(TWO_WEEKS)
    list.hear({ type: 'event', event: anEvent('fresh', NOW) })
    await open[1]?.answer()
    await open[0]?.answer()
    expect(ids()).toEqual(['fresh', 'today', 'earlier'])
  })

  test('adds a clip, marks an event as seen and removes it', async () => {
    const { list, ids } = await loaded([TODAY, EARLIER])
    list.hear({ type: 'clip', event_id: 'today', resource: CLIP })
    list.hear({ type: 'clip', event_id: 'today', resource: CLIP })
    list.hear({ type: 'reviewed', event_ids: ['today'] })
    const state = list.$list.get()
    expect(state.state === 'ready' && state.events[0]).toMatchObject({ reviewed: true, event_resources: [CLIP] })
    list.hear({ type: 'removed', event_ids: ['today'] })
    expect(ids()).toEqual(['earlier'])
  })

  test('keeps the identical list object when a message changes nothing', async () => {
    const { list } = await loaded([TODAY])
    const before = list.$list.get()
    list.hear({ type: 'reviewed', event_ids: ['unknown'] })
    list.hear({ type: 'camera-state', device_id: 'CAM1', state: 'asleep', reason: '', since: 1 })
    expect(list.$list.get()).toBe(before)
  })

  test('catches up after a reconnect: new events appear and deleted ones disappear', async () => {
    const deletedEvent = anEvent('gone', NOW - 60_000)
    const { list, open, ids } = await loaded([TODAY, EARLIER, deletedEvent])
    list.hear({ type: 'hello', now: NOW })
    expect(open[0]?.span.begin).toBe(NOW - 600_000)
    list.hear({ type: 'event', event: anEvent('meanwhile', NOW) })
    await open[0]?.answer({ ok: true, data: [anEvent('missed', NOW - 1000)] })
    expect(ids()).toEqual(['meanwhile', 'missed', 'today', 'earlier'])
  })

  test('loads again when the connection returns after a failed load', async () => {
    const { list, open, ids } = setUp([TODAY])
    void list.load(TWO_WEEKS)
    await open[1]?.answer(failure('ERR_NETWORK'))
    list.hear({ type: 'hello', now: NOW })
    await open[3]?.answer()
    expect(ids()).toEqual(['today'])
  })

  test('does not restore an event that was deleted while a request was pending', async () => {
    const { list, open, ids } = await loaded([TODAY, EARLIER])
    void list.load(TWO_WEEKS, { quiet: true })
    list.remove(['today'])
    await open[1]?.answer()
    await open[0]?.answer()
    expect(ids()).toEqual(['earlier'])
    list.bringBack([TODAY])
    expect(ids()).toEqual(['today', 'earlier'])
  })

  test('reports the failure that leaves it incomplete, and no failure of a replaced load', async () => {
    const { list, open, failures } = setUp([TODAY])
    void list.load(TWO_WEEKS)
    void list.load(TWO_WEEKS)
    await open[3]?.answer()
    await open[2]?.answer(failure('503'))
    await open[1]?.answer(failure('ERR_NETWORK'))
    await open[0]?.answer(failure('ERR_NETWORK'))
    expect(failures).toEqual([failure('503')])
  })

  test('reports a failed first load, also a quiet one', async () => {
    const { list, open } = setUp([])
    void list.load(TWO_WEEKS, { quiet: true })
    await open[1]?.answer(failure('503'))
    expect(list.$list.get()).toEqual({ state: 'failed', failure: failure('503') })
  })

  test.each(['access', 'people'] as const)('keeps its events while it loads again after "%s"', async (type) => {
    const { list, open, ids } = await loaded([TODAY, EARLIER])
    list.hear({ type })
    expect(ids()).toEqual(['today', 'earlier'])
    await open[1]?.answer({ ok: true, data: [] })
    await open[0]?.answer()
    expect(ids()).toEqual(['earlier'])
  })
})

describe('an opened event', () => {
  test('stays seen when a pending response says otherwise', async () => {
    const { list, open } = setUp([TODAY, EARLIER])
    void list.load(TWO_WEEKS)
    await open[1]?.answer()
    list.mark(['today'], true)
    await open[0]?.answer()
    list.hear({ type: 'hello', now: NOW })
    await open[2]?.answer({ ok: true, data: [TODAY] })
    const state = list.$list.get()
    expect(state.state === 'ready' && state.events.map((event) => event.reviewed)).toEqual([true, false])
  })
})
