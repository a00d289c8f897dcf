import { describe, expect, test } from 'vitest'
import type { Event, EventResource } from '../../../contract/events/events.ts'
import type { RequestFailure, Result } from '../../../src/api/result.ts'
import type { Span } from '../../../src/domain/time/date-range.ts'
import { createEventList } from '../../../src/stores/events/event-list.ts'

const toLocalTimestamp = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime()
const NOW_MS = toLocalTimestamp(20, 12)
const TWO_WEEKS: Span = { begin: toLocalTimestamp(7, 0), end: toLocalTimestamp(21, 0) - 1 }
const CLIP_RESOURCE: EventResource = {
  begin_time: toLocalTimestamp(20, 9),
  end_time: toLocalTimestamp(20, 9) + 18_000,
  resource_version: 1,
  resource_type: 's3',
}

function createEvent(event_id: string, event_ts: number, more: Partial<Event> = {}): Event {
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
const createFailure = (code: string): RequestFailure => ({
  ok: false,
  code,
  msg: '',
  kind: 'ERR_BAD_RESPONSE',
  status: 200,
})
const filterBySpan =
  (events: readonly Event[]) =>
  ({ begin, end }: Span) =>
    events.filter(({ event_ts }) => event_ts >= begin && event_ts <= end)
const flushPromises = () => new Promise((resolve) => setTimeout(resolve))

/** Creates an event list with a fake provider. The test releases its responses one by one. */
function createList(events: Event[], accepts: (event: Event) => boolean = () => true) {
  const pendingRequests: { span: Span; answer: (result?: Result<readonly Event[]>) => Promise<unknown> }[] = []
  const failures: RequestFailure[] = []
  const list = createEventList({
    now: () => NOW_MS,
    acceptsEvent: accepts,
    includesPresent: () => true,
    onFailure: (failed) => failures.push(failed),
    ask: (span) =>
      new Promise((resolve) => {
        pendingRequests.push({
          span,
          answer: (result = { ok: true, data: filterBySpan(events)(span) }) => (resolve(result), flushPromises()),
        })
      }),
  })
  const ids = () => {
    const state = list.$list.get()
    return state.state === 'ready' ? state.events.map((event) => event.event_id) : state.state
  }
  return { list, pendingRequests, ids, failures }
}

async function createLoadedList(events: Event[], accepts?: (event: Event) => boolean) {
  const page = createList(events, accepts)
  void page.list.load(TWO_WEEKS)
  await page.pendingRequests[0]?.answer()
  await page.pendingRequests[1]?.answer()
  page.pendingRequests.length = 0
  return page
}

const TODAY_EVENT = createEvent('today', toLocalTimestamp(20, 9))
const EARLIER_EVENT = createEvent('earlier', toLocalTimestamp(12, 9))

describe('the event list', () => {
  test('requests the newest day and the rest concurrently and shows the newest day first', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS)
    expect(pendingRequests.map(({ span }) => [span.begin, span.end])).toEqual([
      [toLocalTimestamp(7, 0), toLocalTimestamp(20, 0) - 1],
      [toLocalTimestamp(20, 0), toLocalTimestamp(21, 0) - 1],
    ])
    await pendingRequests[1]?.answer()
    expect([ids(), list.$list.get()]).toEqual([['today'], expect.objectContaining({ isFilling: true })])
    await pendingRequests[0]?.answer()
    expect([ids(), list.$list.get()]).toEqual([
      ['today', 'earlier'],
      expect.objectContaining({ isFilling: false, shortfall: null }),
    ])
  })

  test('stays in its loading state while only the older days have arrived', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS)
    await pendingRequests[0]?.answer()
    expect(ids()).toBe('loading')
  })

  test('ignores the response to a request that was replaced by another', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS)
    void list.load({ begin: toLocalTimestamp(12, 0), end: toLocalTimestamp(13, 0) - 1 })
    await pendingRequests[2]?.answer()
    await pendingRequests[1]?.answer()
    await pendingRequests[0]?.answer()
    expect(ids()).toEqual(['earlier'])
  })

  test('fails with the error code when the newest day cannot be loaded', async () => {
    const { list, pendingRequests } = createList([])
    void list.load(TWO_WEEKS)
    await pendingRequests[1]?.answer(createFailure('ERR_NETWORK'))
    expect(list.$list.get()).toEqual({ state: 'failed', failure: createFailure('ERR_NETWORK') })
  })

  test('keeps the newest day and reports that older ones are missing when only those fail', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT])
    void list.load(TWO_WEEKS)
    await pendingRequests[1]?.answer()
    await pendingRequests[0]?.answer(createFailure('503'))
    expect([ids(), list.$list.get()]).toEqual([
      ['today'],
      expect.objectContaining({ shortfall: { kind: 'older-missing', failure: createFailure('503') } }),
    ])
  })
})

describe('a request that is too large', () => {
  test('is retried for half the range, and the list reports how far it reaches', async () => {
    const { list, pendingRequests, ids } = createList([
      TODAY_EVENT,
      createEvent('near', toLocalTimestamp(18, 0)),
      EARLIER_EVENT,
    ])
    void list.load(TWO_WEEKS)
    await pendingRequests[1]?.answer()
    await pendingRequests[0]?.answer(createFailure('3056'))
    expect(ids()).toEqual(['today'])
    const half = pendingRequests[2]?.span.begin ?? 0
    expect(half).toBe(Math.ceil((toLocalTimestamp(7, 0) + toLocalTimestamp(20, 0) - 1) / 2))
    await pendingRequests[2]?.answer()
    expect([ids(), list.$list.get()]).toEqual([
      ['today', 'near'],
      expect.objectContaining({
        shortfall: { kind: 'too-large', covered: { begin: half, end: TWO_WEEKS.end }, failure: createFailure('3056') },
      }),
    ])
  })
})

describe('the event list with its feed', () => {
  test('inserts a new event in order and ignores one before the selected days', async () => {
    const { list, ids } = await createLoadedList([TODAY_EVENT, EARLIER_EVENT])
    list.applyMessage({ type: 'event', event: createEvent('fresh', NOW_MS) })
    list.applyMessage({ type: 'event', event: createEvent('late upload', toLocalTimestamp(15, 1)) })
    list.applyMessage({ type: 'event', event: createEvent('too old', toLocalTimestamp(1, 1)) })
    expect(ids()).toEqual(['fresh', 'today', 'late upload', 'earlier'])
  })

  test('ignores events that the free view does not show', async () => {
    const { list, ids } = await createLoadedList([TODAY_EVENT], ({ tags }) => tags.includes('4'))
    list.applyMessage({ type: 'event', event: createEvent('paid', NOW_MS, { tags: ['12'] }) })
    expect(ids()).toEqual(['today'])
  })

  test('adds no current event to a past day, neither immediately nor after a reconnect', async () => {
    const { list, pendingRequests, ids } = await createLoadedList(
      [EARLIER_EVENT],
      ({ event_ts }) => event_ts <= toLocalTimestamp(12, 23),
    )
    list.applyMessage({ type: 'event', event: createEvent('fresh', NOW_MS) })
    list.applyMessage({ type: 'hello', now: NOW_MS })
    await pendingRequests[0]?.answer({ ok: true, data: [createEvent('fresh', NOW_MS)] })
    expect(ids()).toEqual(['earlier'])
  })

  test('does not lose an event that arrives while the list is loading', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS)
    list.applyMessage({ type: 'event', event: createEvent('fresh', NOW_MS) })
    await pendingRequests[1]?.answer()
    await pendingRequests[0]?.answer()
    expect(ids()).toEqual(['fresh', 'today', 'earlier'])
  })

  test('adds a clip, marks an event as seen and removes it', async () => {
    const { list, ids } = await createLoadedList([TODAY_EVENT, EARLIER_EVENT])
    list.applyMessage({ type: 'clip', event_id: 'today', resource: CLIP_RESOURCE })
    list.applyMessage({ type: 'clip', event_id: 'today', resource: CLIP_RESOURCE })
    list.applyMessage({ type: 'reviewed', event_ids: ['today'] })
    const state = list.$list.get()
    expect(state.state === 'ready' && state.events[0]).toMatchObject({
      reviewed: true,
      event_resources: [CLIP_RESOURCE],
    })
    list.applyMessage({ type: 'removed', event_ids: ['today'] })
    expect(ids()).toEqual(['earlier'])
  })

  test('keeps the identical list object when a message changes nothing', async () => {
    const { list } = await createLoadedList([TODAY_EVENT])
    const before = list.$list.get()
    list.applyMessage({ type: 'reviewed', event_ids: ['unknown'] })
    list.applyMessage({ type: 'camera-state', device_id: 'CAM1', state: 'asleep', reason: '', since: 1 })
    expect(list.$list.get()).toBe(before)
  })

  test('catches up after a reconnect: new events appear and deleted ones disappear', async () => {
    const deletedEvent = createEvent('gone', NOW_MS - 60_000)
    const { list, pendingRequests, ids } = await createLoadedList([TODAY_EVENT, EARLIER_EVENT, deletedEvent])
    list.applyMessage({ type: 'hello', now: NOW_MS })
    expect(pendingRequests[0]?.span.begin).toBe(NOW_MS - 600_000)
    list.applyMessage({ type: 'event', event: createEvent('meanwhile', NOW_MS) })
    await pendingRequests[0]?.answer({ ok: true, data: [createEvent('missed', NOW_MS - 1000)] })
    expect(ids()).toEqual(['meanwhile', 'missed', 'today', 'earlier'])
  })

  test('loads again when the connection returns after a failed load', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT])
    void list.load(TWO_WEEKS)
    await pendingRequests[1]?.answer(createFailure('ERR_NETWORK'))
    list.applyMessage({ type: 'hello', now: NOW_MS })
    await pendingRequests[3]?.answer()
    expect(ids()).toEqual(['today'])
  })

  test('does not restore an event that was deleted while a request was pending', async () => {
    const { list, pendingRequests, ids } = await createLoadedList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS, { keepsList: true })
    list.remove(['today'])
    await pendingRequests[1]?.answer()
    await pendingRequests[0]?.answer()
    expect(ids()).toEqual(['earlier'])
    list.restore([TODAY_EVENT])
    expect(ids()).toEqual(['today', 'earlier'])
  })

  test('reports the failure that leaves it incomplete, and no failure of a replaced load', async () => {
    const { list, pendingRequests, failures } = createList([TODAY_EVENT])
    void list.load(TWO_WEEKS)
    void list.load(TWO_WEEKS)
    await pendingRequests[3]?.answer()
    await pendingRequests[2]?.answer(createFailure('503'))
    await pendingRequests[1]?.answer(createFailure('ERR_NETWORK'))
    await pendingRequests[0]?.answer(createFailure('ERR_NETWORK'))
    expect(failures).toEqual([createFailure('503')])
  })

  test('shows the newest day first, also if a quiet load replaces the first one', async () => {
    const { list, pendingRequests, ids } = createList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS)
    void list.load(TWO_WEEKS, { keepsList: true })
    await pendingRequests[3]?.answer()
    expect(ids()).toEqual(['today'])
    await pendingRequests[2]?.answer()
    expect(ids()).toEqual(['today', 'earlier'])
  })

  test('reports a failed first load, also a quiet one', async () => {
    const { list, pendingRequests } = createList([])
    void list.load(TWO_WEEKS, { keepsList: true })
    await pendingRequests[1]?.answer(createFailure('503'))
    expect(list.$list.get()).toEqual({ state: 'failed', failure: createFailure('503') })
  })

  test.each(['access', 'people'] as const)('keeps its events while it loads again after "%s"', async (type) => {
    const { list, pendingRequests, ids } = await createLoadedList([TODAY_EVENT, EARLIER_EVENT])
    list.applyMessage({ type })
    expect(ids()).toEqual(['today', 'earlier'])
    await pendingRequests[1]?.answer({ ok: true, data: [] })
    await pendingRequests[0]?.answer()
    expect(ids()).toEqual(['earlier'])
  })
})

describe('an opened event', () => {
  test('stays seen when a pending response says otherwise', async () => {
    const { list, pendingRequests } = createList([TODAY_EVENT, EARLIER_EVENT])
    void list.load(TWO_WEEKS)
    await pendingRequests[1]?.answer()
    list.mark(['today'], true)
    await pendingRequests[0]?.answer()
    list.applyMessage({ type: 'hello', now: NOW_MS })
    await pendingRequests[2]?.answer({ ok: true, data: [TODAY_EVENT] })
    const state = list.$list.get()
    expect(state.state === 'ready' && state.events.map((event) => event.reviewed)).toEqual([true, false])
  })
})
