// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { deleteSelected, markSelected, undoDelete } from '../../../src/stores/events/event-deletion.ts'
import { $deleted, $selectedIds } from '../../../src/stores/events/event-selection.ts'
import { $events, bringEventsBack, reloadEvents } from '../../../src/stores/events/events.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { answerWith } from '../../support/client.ts'
import { failureText } from '../../../src/stores/shell/failure-text.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { areDistinct } from '../../support/facts.ts'

const PLAIN = failureText({ ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 })

const NOW = Date.now()
const OWNER = 1
const SHARED = 2
const camera = (device_id: string, role: number) =>
  toDevice({ device_id, device_model: 'M', nickname: device_id, device_order: 0, role, device_category: 'camera' })
const event = (event_id: string, device_id: string, age: number, reviewed = false): Event => ({
  ...{ event_id, device_id, event_ts: NOW - age, tags: ['4'], event_values: [], title: 'Motion' },
  ...{ event_resources: [], reviewed },
})
const MINE = event('mine', 'own', 1)
const ALSO_MINE = event('also', 'own', 2)
const THEIRS = event('theirs', 'shared', 3)
const ALL = [MINE, ALSO_MINE, THEIRS]
const LIST = { code: 200, data: { event_list: ALL } }
const deleted = (restore_until: number) => ({ code: 200, data: { deleted: 1, restore_until } })

const ids = () => {
  const list = $events.get()
  return list.state === 'ready' ? list.events.map(({ event_id }) => event_id) : list.state
}

beforeEach(async () => {
  $devices.set({ state: 'ready', devices: [camera('own', OWNER), camera('shared', SHARED)] })
  answerWith({ history: LIST })
  await new Promise<void>((resolve) => {
    const stop = $events.listen((list) => {
      if (list.state !== 'ready' || list.filling) return
      resolve()
      queueMicrotask(() => stop())
    })
    reloadEvents()
  })
  bringEventsBack(ALL)
  $deleted.set(null)
  expect(ids()).toEqual(['mine', 'also', 'theirs'])
})
afterEach(() => {
  while ($toast.get()) closeToast()
})

describe('event deletion', () => {
  test('removes events from the list and the selection immediately', async () => {
    $selectedIds.set(new Set(['mine']))
    const requests = answerWith({ 'events-delete': deleted(99) })
    const deleting = deleteSelected([MINE])
    expect([ids(), $selectedIds.get().size]).toEqual([['also', 'theirs'], 0])
    await deleting
    expect(requests.map(({ body }) => body)).toEqual([{ event_ids: ['mine'] }])
    expect([$deleted.get(), $toast.get()]).toEqual([{ events: [MINE], until: 99 }, null])
  })

  test('skips events of cameras shared with this account, and says so', async () => {
    const requests = answerWith({ 'events-delete': deleted(99) })
    await deleteSelected([MINE, THEIRS])
    expect(requests.map(({ body }) => body)).toEqual([{ event_ids: ['mine'] }])
    expect(ids()).toEqual(['also', 'theirs'])
    expect($deleted.get()?.events).toEqual([MINE])
    expect($toast.get()?.text).toMatch(/owner/)
  })

  test('sends no request if all events are of shared cameras', async () => {
    const requests = answerWith({})
    await deleteSelected([THEIRS])
    expect([requests, ids(), $deleted.get()]).toEqual([[], ['mine', 'also', 'theirs'], null])
  })

  test('that is rejected puts the events back and offers no undo', async () => {
    answerWith({ 'events-delete': { code: 500 } })
    await deleteSelected([MINE, ALSO_MINE])
    expect([ids(), $deleted.get()]).toEqual([['mine', 'also', 'theirs'], null])
    expect($toast.get()?.text).toBe(findCatalogEntry('500')?.text)
  })

  test('that is rejected partway puts back the undeleted events and offers undo for the rest', async () => {
    const many = Array.from({ length: 2001 }, (_, i) => event(`m${i}`, 'own', 10 + i))
    bringEventsBack(many)
    const requests = answerWith({ 'events-delete': deleted(99) })
    const deleting = deleteSelected(many)
    // The first batch is already in flight, so only the second batch is rejected.
    answerWith({ 'events-delete': { code: 429 } })
    await deleting
    expect((requests[0]?.body as { event_ids: string[] }).event_ids).toHaveLength(2000)
    expect($deleted.get()?.events).toHaveLength(2000)
    expect(ids()).toEqual(['mine', 'also', 'theirs', 'm2000'])
  })
})

describe('undo of a deletion', () => {
  beforeEach(async () => {
    answerWith({ 'events-delete': deleted(99) })
    await deleteSelected([MINE])
    expect(ids()).toEqual(['also', 'theirs'])
  })

  test('restores the events to their positions', async () => {
    const requests = answerWith({ 'events-restore': { code: 200, data: { restored: 1 } } })
    await undoDelete()
    expect(requests.map(({ body }) => body)).toEqual([{ event_ids: ['mine'] }])
    expect([ids(), $deleted.get(), $toast.get()]).toEqual([['mine', 'also', 'theirs'], null, null])
  })

  test('reports a failure and can be retried', async () => {
    answerWith({ 'events-restore': { code: 500 } })
    await undoDelete()
    expect($toast.get()?.text).toBe(findCatalogEntry('500')?.text)
    expect([ids(), $deleted.get()]).toEqual([['also', 'theirs'], { events: [MINE], until: 99 }])
    answerWith({ 'events-restore': { code: 200, data: { restored: 1 } } })
    await undoDelete()
    expect([ids(), $deleted.get()]).toEqual([['mine', 'also', 'theirs'], null])
  })

  test('has its own message for a missing response', async () => {
    answerWith({})
    await undoDelete()
    expect(areDistinct([$toast.get()?.text ?? '', PLAIN])).toBe(true)
  })
})

describe('marking events as seen', () => {
  const seen = () => {
    const list = $events.get()
    return list.state === 'ready' && list.events.filter(({ reviewed }) => reviewed).map(({ event_id }) => event_id)
  }

  test('marks all as seen if at least one is unseen, else marks all as unseen', async () => {
    const requests = answerWith({ review: { code: 200, data: { reviewed: 2 } } })
    await markSelected([MINE, THEIRS])
    expect(seen()).toEqual(['mine', 'theirs'])
    await markSelected([
      { ...MINE, reviewed: true },
      { ...THEIRS, reviewed: true },
    ])
    expect(seen()).toEqual([])
    expect(requests.map(({ body }) => body)).toEqual([
      { event_ids: ['mine', 'theirs'], reviewed: true },
      { event_ids: ['mine', 'theirs'], reviewed: false },
    ])
  })

  test('that is rejected restores all marks, including those not requested any more', async () => {
    const many = Array.from({ length: 501 }, (_, i) => event(`m${i}`, 'own', 10 + i))
    bringEventsBack(many)
    const requests = answerWith({ review: { code: 429 } })
    await markSelected(many)
    expect(requests).toHaveLength(1)
    expect(seen()).toEqual([])
    expect($toast.get()?.text).toBe(findCatalogEntry('429')?.text)
  })
})
