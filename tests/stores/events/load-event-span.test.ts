import { describe, expect, test } from 'vitest'
import { EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { RequestFailure } from '../../../src/api/result.ts'
import type { Span } from '../../../src/domain/time/date-range.ts'
import { loadSpan } from '../../../src/stores/events/load-event-span.ts'

const createEvent = (event_id: string, event_ts: number): Event => ({
  event_id,
  event_ts,
  device_id: 'CAM1',
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: false,
})
const TOO_LARGE: RequestFailure = { ok: false, code: '3056', msg: '', kind: 'ERR_BAD_RESPONSE', status: 200 }

describe('a request that is too large', () => {
  test('fails with 3056 when the 32nd part is still too large', async () => {
    const spans: Span[] = []
    const answer = await loadSpan((span) => (spans.push(span), Promise.resolve(TOO_LARGE)), {
      begin: 0,
      end: 3200,
    })
    expect([answer.ok, spans.length, (spans.at(-1)?.end ?? 0) - (spans.at(-1)?.begin ?? 0)]).toEqual([false, 6, 100])
  })
})

describe('more than 10,000 events', () => {
  test('are requested again up to the oldest known event until a response is not full', async () => {
    const many = Array.from({ length: EVENT_QUERY_COUNT + 5 }, (_, i) => createEvent(`e${i}`, 1_000_000 - i))
    const ends: number[] = []
    const answer = await loadSpan(
      ({ begin, end }) => {
        ends.push(end)
        const data = many.filter(({ event_ts }) => event_ts >= begin && event_ts <= end).slice(0, EVENT_QUERY_COUNT)
        return Promise.resolve({ ok: true, data })
      },
      { begin: 0, end: 2_000_000 },
    )
    expect(answer.ok && answer.events.length).toBe(EVENT_QUERY_COUNT + 5)
    expect(ends).toEqual([2_000_000, 1_000_000 - EVENT_QUERY_COUNT + 1])
  })

  test('of a single millisecond do not cause endless requests', async () => {
    const same = Array.from({ length: EVENT_QUERY_COUNT }, (_, i) => createEvent(`e${i}`, 5))
    let requestCount = 0
    const answer = await loadSpan(() => (requestCount++, Promise.resolve({ ok: true, data: same })), {
      begin: 0,
      end: 10,
    })
    expect([answer.ok, requestCount]).toEqual([true, 2])
  })
})
