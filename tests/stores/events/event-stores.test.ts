// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { RequestFailure, Result } from '../../../src/api/result.ts'
import { $calendarPanels, $selectedQuickRange } from '../../../src/stores/events/calendar.ts'
import { $clip, $currentEvent } from '../../../src/stores/events/open-clip.ts'
import { $openCamera, changeFilter, closeEvent, syncEventUrl, openEvent } from '../../../src/stores/events/event-url.ts'
import { createEventList } from '../../../src/stores/events/event-list.ts'

const NOW_MS = new Date(2026, 10, 20, 12).getTime()
const createEvent = (event_id: string, event_ts: number): Event => ({
  event_id,
  device_id: 'CAM1',
  event_ts,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: false,
})

let stop: () => void
beforeEach(() => {
  history.replaceState(null, '', '/events')
  stop = syncEventUrl()
})
afterEach(() => stop())

describe('event stores', () => {
  test('request nothing new for past days, even after a reconnect', async () => {
    const spans: unknown[] = []
    const list = createEventList({
      ask: async (span) => (spans.push(span), { ok: true, data: [] }),
      now: () => NOW_MS,
      acceptsEvent: () => false,
      includesPresent: () => false,
      onFailure: () => undefined,
    })
    const dayBefore = new Date(NOW_MS - 86_400_000).setHours(0, 0, 0, 0)
    await list.load({ begin: dayBefore, end: dayBefore + 3_600_000 })
    list.applyMessage({ type: 'hello', now: NOW_MS })
    expect(spans).toHaveLength(1)
  })

  test.each([
    ['an access change starts', { type: 'access' }],
    ['a restored connection starts', { type: 'hello', now: NOW_MS }],
  ] as const)('OPEN-63 report each failed load that %s, and keep the shown events', async (_, message) => {
    const failure: RequestFailure = { ok: false, code: '500', msg: '', kind: 'ERR_BAD_RESPONSE', status: 500 }
    const failures: RequestFailure[] = []
    let answer: Result<readonly Event[]> = failure
    const list = createEventList({
      ask: async () => answer,
      now: () => NOW_MS,
      acceptsEvent: () => true,
      includesPresent: () => true,
      onFailure: (failed) => failures.push(failed),
    })
    const receiveMessage = async () => (list.applyMessage(message), await new Promise((resolve) => setTimeout(resolve)))
    await list.load({ begin: NOW_MS - 3_600_000, end: NOW_MS })
    await receiveMessage()
    expect([failures.length, list.$list.get().state]).toEqual([2, 'failed'])
    answer = { ok: true, data: [createEvent('today', NOW_MS)] }
    await receiveMessage()
    answer = failure
    await receiveMessage()
    expect([failures.length, list.$list.get()]).toMatchObject([3, { state: 'ready', events: [{ event_id: 'today' }] }])
  })

  test('STORE-10 events reloaded after an error stay out of the list until complete', async () => {
    const answers: ((result: Result<readonly Event[]>) => void)[] = []
    const list = createEventList({
      ask: () => new Promise((resolve) => answers.push(resolve)),
      now: () => NOW_MS,
      acceptsEvent: () => true,
      includesPresent: () => true,
      onFailure: () => undefined,
    })
    const settle = () => new Promise((resolve) => setTimeout(resolve))
    void list.load({ begin: NOW_MS - 3_600_000, end: NOW_MS })
    answers[0]?.({ ok: false, code: '3056', msg: '', kind: 'ERR_BAD_RESPONSE', status: 400 })
    await settle()
    const page = Array.from({ length: EVENT_QUERY_COUNT }, (_, i) => createEvent(`e${i}`, NOW_MS - i))
    answers[1]?.({ ok: true, data: page })
    await settle()
    expect(list.$recoveryEvents.get()).toHaveLength(EVENT_QUERY_COUNT)
    expect(list.$list.get()).toEqual({ state: 'loading' })
    answers[2]?.({ ok: true, data: [createEvent('last', NOW_MS - 20_000)] })
    await settle()
    expect(list.$recoveryEvents.get()).toEqual([])
    expect(list.$list.get()).toMatchObject({ state: 'ready', shortfall: { kind: 'too-large' } })
  })

  test('STORE-12 the current event is the event of the open clip', () => {
    expect($currentEvent.get()).toBeNull()
    $clip.set({ state: 'loading', event: createEvent('e1', NOW_MS) })
    expect($currentEvent.get()?.event_id).toBe('e1')
    $clip.set({ state: 'none' })
    expect($currentEvent.get()).toBeNull()
  })

  test('STORE-15 the open camera id is that of the open event, and empty without one', () => {
    expect($openCamera.get()).toBe('')
    openEvent({ eventId: 'e1', deviceId: 'CAM1' })
    expect($openCamera.get()).toBe('CAM1')
    history.replaceState(null, '')
    closeEvent()
    expect($openCamera.get()).toBe('')
  })

  test('STORE-18 the calendar starts with one panel and 14 days, and follows the chosen range', () => {
    expect([$calendarPanels.get(), $selectedQuickRange.get()]).toEqual([1, 14])
    changeFilter({ range: 60 })
    expect($selectedQuickRange.get()).toBe(60)
    changeFilter({ range: { start: '2026-11-01', end: '2026-11-02', hours: [0, 23] } })
    expect($selectedQuickRange.get()).toBeNull()
  })
})
