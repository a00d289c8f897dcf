import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/wire/constants.ts'
import { type Event, getEventList, eventHistory } from '../../../contract/events/events.ts'
import { getEvent, replayArchive } from '../../../contract/events/event-calls.ts'
import { feedTicket, reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { isFreeTypeId } from '../../../provider/events/free-plan-events.ts'
import { loadSpan } from '../../../src/stores/events/load-event-span.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  type Household,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'

const EVENT_TIME = RECENT_TIME_MS

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.a.bridge.register('yard_a', { device_order: 2 })
  await neighborhood.b.bridge.register('door_b')
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'e1', { event_ts: EVENT_TIME, tags: ['101'], event_values: ['person'] }),
  )
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('yard_a', 'e2', { event_ts: EVENT_TIME + MINUTE_MS, tags: ['102'], event_values: ['say "car'] }),
  )
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'e3', { event_ts: EVENT_TIME + 2 * MINUTE_MS, tags: ['12'], event_values: ['Ada'] }),
  )
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'e4', {
      event_ts: EVENT_TIME + 3 * MINUTE_MS,
      tags: ['12', '800002'],
      event_values: [],
    }),
  )
  await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'theirs', { event_ts: EVENT_TIME }))
})
afterAll(() => neighborhood.close())

const buildQuery = (change: Record<string, unknown> = {}) => ({
  begin_time: EVENT_TIME - MINUTE_MS,
  end_time: EVENT_TIME + 10 * MINUTE_MS,
  count: EVENT_QUERY_COUNT,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
  ...change,
})

async function listEventIds(
  household: Household,
  change: Record<string, unknown> = {},
  call = eventHistory,
): Promise<string[]> {
  const { body } = await neighborhood.call(household, call, buildQuery(change))
  return body.data.event_list.map((event: Event) => event.event_id)
}

describe('event list', () => {
  test('CALL-37 event/history returns the events of the account, newest first', async () => {
    expect(await listEventIds(neighborhood.a)).toEqual(['e4', 'e3', 'e2', 'e1'])
    expect(await listEventIds(neighborhood.b)).toEqual(['theirs'])
  })

  test('CALL-22 CALL-38 get-event-list returns only events with a free type id', async () => {
    expect(await listEventIds(neighborhood.a, {}, getEventList)).toEqual(['e4', 'e2', 'e1'])
  })

  test('an event is returned as posted, without the names of its stored objects', async () => {
    const { body } = await neighborhood.call(neighborhood.a, eventHistory, buildQuery({ end_time: EVENT_TIME }))
    const {
      clip_object: _clip,
      thumb_object: _thumb,
      ...wire
    } = createBridgeEvent('door_a', 'e1', { event_ts: EVENT_TIME })
    expect(body).toEqual({ code: 200, data: { event_list: [wire] } })
  })

  test('cameras, tags, values and times narrow the list, each by any of its entries', async () => {
    expect(await listEventIds(neighborhood.a, { device_id_list: ['yard_a'] })).toEqual(['e2'])
    expect(await listEventIds(neighborhood.a, { device_id_list: ['yard_a', 'door_a'] })).toEqual([
      'e4',
      'e3',
      'e2',
      'e1',
    ])
    expect(await listEventIds(neighborhood.a, { event_tag_list: ['101', '800002'] })).toEqual(['e4', 'e1'])
    expect(await listEventIds(neighborhood.a, { event_tag_list: ['80000'] })).toEqual([])
    expect(await listEventIds(neighborhood.a, { event_value_list: ['say "car'] })).toEqual(['e2'])
    expect(await listEventIds(neighborhood.a, { event_value_list: ['car', '"', '%'] })).toEqual([])
    expect(
      await listEventIds(neighborhood.a, { begin_time: EVENT_TIME + MINUTE_MS, end_time: EVENT_TIME + 2 * MINUTE_MS }),
    ).toEqual(['e3', 'e2'])
    expect(await listEventIds(neighborhood.a, { device_id_list: ['never_was'] })).toEqual([])
  })

  test('EVENT-21 a query with another count or order is rejected as malformed', async () => {
    for (const change of [{ count: 100 }, { order_by: 1 }, { begin_time: '0' }, { device_id_list: ["x' OR 1=1"] }]) {
      const { status, body } = await neighborhood.call(neighborhood.a, eventHistory, buildQuery(change))
      expect([status, body.data]).toEqual([400, undefined])
    }
  })

  test('a camera of another account in the query matches no more than a nonexistent one', async () => {
    for (const call of [eventHistory, getEventList]) {
      const listEvents = async (...device_id_list: string[]) =>
        neighborhood.call(neighborhood.b, call, buildQuery({ device_id_list }))
      expect(await listEvents('door_a')).toEqual(await listEvents('never_was'))
      const own = await listEvents('door_b')
      expect([own.status, own.body.data.event_list.length > 0]).toEqual([200, true])
      expect(await listEvents('door_b', 'door_a')).toEqual(own)
    }
  })

  test('events of a removed camera are not listed', async () => {
    await neighborhood.b.bridge.register('spare_b')
    await neighborhood.b.bridge.postEvent(createBridgeEvent('spare_b', 'spare', { event_ts: EVENT_TIME + MINUTE_MS }))
    expect(await listEventIds(neighborhood.b)).toEqual(['spare', 'theirs'])
    await neighborhood.b.bridge.send('DELETE', '/bridge/v1/cameras/spare_b')
    expect(await listEventIds(neighborhood.b)).toEqual(['theirs'])
  })

  test('one response returns the newest 10,000 events, newest first', async () => {
    await neighborhood.a.bridge.register('busy_a')
    const start = EVENT_TIME - 40_000 * MINUTE_MS
    for (let batch = 0; batch < 21; batch += 1) {
      const events = Array.from({ length: 500 }, (_, n) => {
        const number = batch * 500 + n
        return createBridgeEvent('busy_a', `busy_${number}`, { event_ts: start + number * 1000 })
      })
      const { body } = await neighborhood.a.bridge.send('POST', '/bridge/v1/history', { device_id: 'busy_a', events })
      expect(body.data.added).toBe(500)
    }
    const ids = await listEventIds(neighborhood.a, {
      begin_time: EVENT_TIME - 50_000 * MINUTE_MS,
      device_id_list: ['busy_a'],
    })
    expect(ids).toHaveLength(10_000)
    expect([ids[0], ids.at(-1)]).toEqual(['busy_10499', 'busy_500'])
  })
})

describe('free event types', () => {
  test.each([
    [
      'EVENT-22 the listed ids are free',
      ['800001', '800002', '800003', '800005', '800006', '800007', '4', '5', '101', '104', '100285', '100286'],
      true,
    ],
    ['EVENT-23 ids longer than 7 digits are free', ['10000000', '123456789'], true],
    [
      'EVENT-24 all other ids are paid',
      ['800004', '100', '105', '11', '12', '1234567', 'person', 'longer than seven'],
      false,
    ],
  ])('%s', (_title, ids, free) => {
    expect(ids.map(isFreeTypeId)).toEqual(ids.map(() => free))
  })
})

describe('single event', () => {
  test('CALL-24 get-event returns the event', async () => {
    const { status, body } = await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id: 'e1' })
    expect([status, body.code, body.data.title]).toEqual([200, 200, 'Person'])
  })

  test('of another account, of another camera or nonexistent returns 404 and reveals nothing', async () => {
    const answers = await Promise.all([
      neighborhood.call(neighborhood.b, getEvent, { device_id: 'door_a', event_id: 'e1' }),
      neighborhood.call(neighborhood.b, getEvent, { device_id: 'door_b', event_id: 'e1' }),
      neighborhood.call(neighborhood.b, getEvent, { device_id: 'nowhere', event_id: 'nothing' }),
    ])
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toHaveProperty('size', 1)
    expect(answers[0]?.status).toBe(404)
  })

  test('CALL-26 CLIP-04 the archive replay returns a playable URL of the clip that covers the range', async () => {
    const bytes = Buffer.from('a clip')
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'filmed', bytes)
    const resource = {
      begin_time: EVENT_TIME + 5000,
      end_time: EVENT_TIME + 25_000,
      resource_version: 1,
      resource_type: 's3' as const,
    }
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'filmed', { event_ts: EVENT_TIME + 7000, event_resources: [resource], clip_object }),
    )
    const request = {
      device_id: 'door_a',
      product_model: 'PL-1',
      start_time: EVENT_TIME + 5000,
      end_time: EVENT_TIME + 25_000,
      resource_version: 1,
      resource_type: 's3',
      is_live: 'false',
    }
    const { body } = await neighborhood.call(neighborhood.a, replayArchive, request)
    expect(body.data.mime).toBe('video/mp4')
    expect(await (await fetch(body.data.replay_url)).text()).toBe('a clip')

    const foreign = await neighborhood.call(neighborhood.b, replayArchive, request)
    const without = await neighborhood.call(neighborhood.a, replayArchive, {
      ...request,
      start_time: EVENT_TIME + MINUTE_MS,
      end_time: EVENT_TIME + 2 * MINUTE_MS,
    })
    expect([foreign.status, foreign.body.data, without.status, without.body.code]).toEqual([404, undefined, 404, 404])
  })

  test('reviewed on one page is reviewed on all, and neighbors cannot mark it', async () => {
    const ticket = await neighborhood.call(neighborhood.a, feedTicket)
    const feed = await openSocket(ticket.body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    const foreign = await neighborhood.call(neighborhood.b, reviewEvents, { event_ids: ['e1', 'e2'] })
    const mine = await neighborhood.call(neighborhood.a, reviewEvents, { event_ids: ['e1', 'nothing'] })
    expect([foreign.status, mine.body.data]).toEqual([404, { reviewed: 1 }])
    expect(await feed.receive((message) => message.type === 'reviewed')).toEqual({
      type: 'reviewed',
      event_ids: ['e1'],
      reviewed: true,
    })
    const reviewed = async (event_id: string, device_id: string) =>
      (await neighborhood.call(neighborhood.a, getEvent, { device_id, event_id })).body.data.reviewed
    expect([await reviewed('e1', 'door_a'), await reviewed('e2', 'yard_a')]).toEqual([true, false])
    await feed.close()
  })
})

describe('nonce check of every call', () => {
  test.each([eventHistory, getEventList, getEvent, reviewEvents, feedTicket])(
    'CALL-73 $path rejects a reused nonce and a call without a nonce',
    async (call) => {
      const { status } = await neighborhood.call(neighborhood.a, call, buildInput(call))
      expect(status).toBe(200)
      const again = await neighborhood.replayNonce(neighborhood.a, call, buildInput(call))
      expect(again.map((answer) => answer.status)).toEqual([200, 400, 400])
    },
  )
})

function buildInput(call: unknown): Record<string, unknown> {
  if (call === getEvent) return { device_id: 'door_a', event_id: 'e1' }
  if (call === reviewEvents) return { event_ids: ['e1'] }
  return call === feedTicket ? {} : buildQuery()
}

describe('event pages of 10,000', () => {
  test('leave no gaps or duplicates at their boundaries while events arrive', async () => {
    await neighborhood.a.bridge.register('flood_a')
    /* Seven events share each millisecond, so page boundaries fall between events of the same millisecond. */
    const total = 12_000
    const at = (number: number) => EVENT_TIME + 100 * MINUTE_MS + Math.floor(number / 7)
    for (let from = 0; from < total; from += 500) {
      const events = Array.from({ length: 500 }, (_, n) =>
        createBridgeEvent('flood_a', `flood_${from + n}`, { event_ts: at(from + n) }),
      )
      await neighborhood.a.bridge.send('POST', '/bridge/v1/history', { device_id: 'flood_a', events })
    }
    let arrived = 0
    const span = { begin: EVENT_TIME + 99 * MINUTE_MS, end: EVENT_TIME + 200 * MINUTE_MS }
    const answer = await loadSpan(async ({ begin, end }) => {
      const { body } = await neighborhood.call(
        neighborhood.a,
        eventHistory,
        buildQuery({ begin_time: begin, end_time: end, device_id_list: ['flood_a'] }),
      )
      for (let n = 0; n < 25; n += 1, arrived += 1) {
        const event_ts = n % 2 === 0 ? at(total) + arrived : at(arrived * 40)
        await neighborhood.a.bridge.postEvent(createBridgeEvent('flood_a', `arrived_${arrived}`, { event_ts }))
      }
      return { ok: true, data: body.data.event_list }
    }, span)
    if (!answer.ok) throw new Error('The span could not be loaded.')
    const ids = answer.events.map((event) => event.event_id)
    expect(arrived).toBeGreaterThan(25)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => id.startsWith('flood_'))).toHaveLength(total)
  })
})
