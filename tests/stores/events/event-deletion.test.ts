// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { deleteEventsOfOwner, toggleReviewed, undoDeletion } from '../../../src/stores/events/event-deletion.ts'
import { $deletedEvents, $selectedIds } from '../../../src/stores/events/event-selection.ts'
import { $events, restoreDeletedEvents, reloadEvents } from '../../../src/stores/events/events.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { formatFailure } from '../../../src/stores/shell/failure-text.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { areDistinct } from '../../support/facts.ts'

const NETWORK_ERROR_TEXT = formatFailure({ ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 })

const NOW_MS = Date.now()
const OWNER_ROLE = 1
const SHARED_ROLE = 2
const createCamera = (device_id: string, role: number) =>
  toDevice({ device_id, device_model: 'M', nickname: device_id, device_order: 0, role, device_category: 'camera' })
const createEvent = (event_id: string, device_id: string, age: number, reviewed = false): Event => ({
  event_id,
  device_id,
  event_ts: NOW_MS - age,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed,
})
const OWN_EVENT = createEvent('mine', 'own', 1)
const OTHER_OWN_EVENT = createEvent('also', 'own', 2)
const SHARED_EVENT = createEvent('theirs', 'shared', 3)
const ALL_EVENTS = [OWN_EVENT, OTHER_OWN_EVENT, SHARED_EVENT]
const LIST_RESPONSE = { code: 200, data: { event_list: ALL_EVENTS } }
const deletionResponse = (restore_until: number) => ({ code: 200, data: { deleted: 1, restore_until } })

const listEventIds = () => {
  const list = $events.get()
  return list.state === 'ready' ? list.events.map(({ event_id }) => event_id) : list.state
}

beforeEach(async () => {
  $devices.set({ state: 'ready', devices: [createCamera('own', OWNER_ROLE), createCamera('shared', SHARED_ROLE)] })
  stubApiResponses({ history: LIST_RESPONSE })
  await new Promise<void>((resolve) => {
    const stop = $events.listen((list) => {
      if (list.state !== 'ready' || list.isFilling) return
      resolve()
      queueMicrotask(() => stop())
    })
    reloadEvents()
  })
  restoreDeletedEvents(ALL_EVENTS)
  $deletedEvents.set(null)
  expect(listEventIds()).toEqual(['mine', 'also', 'theirs'])
})
afterEach(() => {
  while ($toast.get()) closeToast()
})

describe('event deletion', () => {
  test('removes events from the list and the selection immediately', async () => {
    $selectedIds.set(new Set(['mine']))
    const requests = stubApiResponses({ 'events-delete': deletionResponse(99) })
    const deleting = deleteEventsOfOwner([OWN_EVENT])
    expect([listEventIds(), $selectedIds.get().size]).toEqual([['also', 'theirs'], 0])
    await deleting
    expect(requests.map(({ body }) => body)).toEqual([{ event_ids: ['mine'] }])
    expect([$deletedEvents.get(), $toast.get()]).toEqual([{ events: [OWN_EVENT], until: 99 }, null])
  })

  test('skips events of cameras shared with this account, and says so', async () => {
    const requests = stubApiResponses({ 'events-delete': deletionResponse(99) })
    await deleteEventsOfOwner([OWN_EVENT, SHARED_EVENT])
    expect(requests.map(({ body }) => body)).toEqual([{ event_ids: ['mine'] }])
    expect(listEventIds()).toEqual(['also', 'theirs'])
    expect($deletedEvents.get()?.events).toEqual([OWN_EVENT])
    expect($toast.get()?.text).toMatch(/shared with you/)
  })

  test('sends no request if all events are of shared cameras', async () => {
    const requests = stubApiResponses({})
    await deleteEventsOfOwner([SHARED_EVENT])
    expect([requests, listEventIds(), $deletedEvents.get()]).toEqual([[], ['mine', 'also', 'theirs'], null])
  })

  test('that is rejected puts the events back and offers no undo', async () => {
    stubApiResponses({ 'events-delete': { code: 500 } })
    await deleteEventsOfOwner([OWN_EVENT, OTHER_OWN_EVENT])
    expect([listEventIds(), $deletedEvents.get()]).toEqual([['mine', 'also', 'theirs'], null])
    expect($toast.get()?.text).toBe(findCatalogEntry('500')?.text)
  })

  test('that is rejected partway puts back the undeleted events and offers undo for the rest', async () => {
    const many = Array.from({ length: 2001 }, (_, i) => createEvent(`m${i}`, 'own', 10 + i))
    restoreDeletedEvents(many)
    const requests = stubApiResponses({ 'events-delete': deletionResponse(99) })
    const deleting = deleteEventsOfOwner(many)
    // The first batch is already in flight, so only the second batch is rejected.
    stubApiResponses({ 'events-delete': { code: 429 } })
    await deleting
    expect((requests[0]?.body as { event_ids: string[] }).event_ids).toHaveLength(2000)
    expect($deletedEvents.get()?.events).toHaveLength(2000)
    expect(listEventIds()).toEqual(['mine', 'also', 'theirs', 'm2000'])
  })
})

describe('undo of a deletion', () => {
  beforeEach(async () => {
    stubApiResponses({ 'events-delete': deletionResponse(99) })
    await deleteEventsOfOwner([OWN_EVENT])
    expect(listEventIds()).toEqual(['also', 'theirs'])
  })

  test('restores the events to their positions', async () => {
    const requests = stubApiResponses({ 'events-restore': { code: 200, data: { restored: 1 } } })
    await undoDeletion()
    expect(requests.map(({ body }) => body)).toEqual([{ event_ids: ['mine'] }])
    expect([listEventIds(), $deletedEvents.get(), $toast.get()]).toEqual([['mine', 'also', 'theirs'], null, null])
  })

  test('reports a failure and can be retried', async () => {
    stubApiResponses({ 'events-restore': { code: 500 } })
    await undoDeletion()
    expect($toast.get()?.text).toBe(findCatalogEntry('500')?.text)
    expect([listEventIds(), $deletedEvents.get()]).toEqual([['also', 'theirs'], { events: [OWN_EVENT], until: 99 }])
    stubApiResponses({ 'events-restore': { code: 200, data: { restored: 1 } } })
    await undoDeletion()
    expect([listEventIds(), $deletedEvents.get()]).toEqual([['mine', 'also', 'theirs'], null])
  })

  test('has its own message for a missing response', async () => {
    stubApiResponses({})
    await undoDeletion()
    expect(areDistinct([$toast.get()?.text ?? '', NETWORK_ERROR_TEXT])).toBe(true)
  })
})

describe('marking events as seen', () => {
  const listSeenIds = () => {
    const list = $events.get()
    return list.state === 'ready' && list.events.filter(({ reviewed }) => reviewed).map(({ event_id }) => event_id)
  }

  test('marks all as seen if at least one is unseen, else marks all as unseen', async () => {
    const requests = stubApiResponses({ review: { code: 200, data: { reviewed: 2 } } })
    await toggleReviewed([OWN_EVENT, SHARED_EVENT])
    expect(listSeenIds()).toEqual(['mine', 'theirs'])
    await toggleReviewed([
      { ...OWN_EVENT, reviewed: true },
      { ...SHARED_EVENT, reviewed: true },
    ])
    expect(listSeenIds()).toEqual([])
    expect(requests.map(({ body }) => body)).toEqual([
      { event_ids: ['mine', 'theirs'], reviewed: true },
      { event_ids: ['mine', 'theirs'], reviewed: false },
    ])
  })

  test('that is rejected restores all marks, including those not requested any more', async () => {
    const many = Array.from({ length: 501 }, (_, i) => createEvent(`m${i}`, 'own', 10 + i))
    restoreDeletedEvents(many)
    const requests = stubApiResponses({ review: { code: 429 } })
    await toggleReviewed(many)
    expect(requests).toHaveLength(1)
    expect(listSeenIds()).toEqual([])
    expect($toast.get()?.text).toBe(findCatalogEntry('429')?.text)
  })
})
