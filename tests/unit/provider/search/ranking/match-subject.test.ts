import { describe, expect, test } from 'vitest'
import type { BridgeEvent } from '../../../../../contract/bridge/bridge-protocol.ts'
import type { DetectionTrack } from '../../../../../contract/events/detections.ts'
import { attachClipToEvent, insertEvent, storeEvent } from '../../../../../provider/events/event-rows.ts'
import { searchHome } from '../../../../../provider/search/search-pipeline.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const EVENT_TIME_MS = 1_790_000_000_000
const CAMERAS = [{ device_id: 'door', name: 'Front door' }]
const VIEW = [{ devices: ['door'], since: 0, free: false }]

/** Object that moves from x = 0.1 to x = 0.3 between the seconds 6 and 10. */
const track = (kind: string, from = 6, until = 10): DetectionTrack => ({
  kind,
  boxes: [
    [from * 100, 100, 400, 50, 200],
    [until * 100, 300, 400, 50, 200],
  ],
})
const createEvent = (change: Partial<BridgeEvent> = {}) =>
  createBridgeEvent('door', 'e1', {
    event_ts: EVENT_TIME_MS,
    moments: [{ at_s: 8, text: 'A courier in a blue jacket carries a cardboard box past the hedge.' }],
    clip_object: 'h/home/clip',
    thumb_object: 'h/home/thumb',
    thumb_at_s: 8.5,
    found: [track('person')],
    ...change,
  })
type Sql = ReturnType<typeof openHomeSql>['sql']

async function findSubject(sql: Sql, query: string) {
  const { found } = await searchHome(
    sql,
    CAMERAS,
    { query, devices: [], tags: [], start: 0, end: 2 * EVENT_TIME_MS },
    VIEW,
  )
  expect(found).toHaveLength(1)
  return found[0]?.match.subject
}
const insertAndFindSubject = (query: string, change?: Partial<BridgeEvent>) => {
  const { sql } = openHomeSql()
  insertEvent(sql, createEvent(change))
  return findSubject(sql, query)
}

describe('the box of a search result', () => {
  test('SEARCH-02 is the position of the named object in the frame of the thumbnail', async () => {
    expect(await insertAndFindSubject('person with a box')).toEqual([225, 400, 50, 200])
    expect(await insertAndFindSubject('courier', { thumb_at_s: 7 })).toEqual([150, 400, 50, 200])
    expect(await insertAndFindSubject('box', { found: [track('person'), track('package', 7, 9)] })).toEqual([
      250, 400, 50, 200,
    ])
  })

  test('is missing if the thumbnail shows another moment, or its moment is unknown', async () => {
    for (const thumb_at_s of [6.9, 9.1, undefined])
      expect(await insertAndFindSubject('courier', { thumb_at_s }), String(thumb_at_s)).toBeUndefined()
    expect(await insertAndFindSubject('courier', { thumb_object: null })).toBeUndefined()
  })

  test('is missing if the frame shows no such object, or several', async () => {
    expect(await insertAndFindSubject('box')).toBeUndefined()
    expect(await insertAndFindSubject('hedge')).toBeUndefined()
    expect(await insertAndFindSubject('courier', { found: [track('person', 1, 8.2)] })).toBeUndefined()
    expect(await insertAndFindSubject('courier', { found: [track('person'), track('person', 2, 8.1)] })).toBeUndefined()
    expect(await insertAndFindSubject('courier', { found: [] })).toBeUndefined()
  })

  test('is missing if the sentence has several objects of the kind, or describes a later moment', async () => {
    const moments = (text: string) => ({ moments: [{ at_s: 8, text }] })
    const pet = { found: [track('pet')] }
    expect(await insertAndFindSubject('dog', { ...moments('A dog trots over the lawn.'), ...pet })).toBeDefined()
    expect(await insertAndFindSubject('dog', { ...moments('A dog chases a cat.'), ...pet })).toBeUndefined()
    const later = moments('A courier leaves a parcel; a neighbor in red takes it in.')
    expect(await insertAndFindSubject('person with a parcel', later)).toBeDefined()
    expect(await insertAndFindSubject('person in red', later)).toBeUndefined()
  })

  test('stays with the stored thumbnail when the clip arrives, and goes when the thumbnail is replaced', async () => {
    const uploading = createEvent({ clip_object: null, clip_state: 'uploading' })
    const { sql } = openHomeSql()
    storeEvent(sql, uploading)
    storeEvent(sql, createEvent({ thumb_object: 'h/home/other', thumb_at_s: 7 }))
    expect(await findSubject(sql, 'courier')).toEqual([225, 400, 50, 200])
    const replaced = openHomeSql().sql
    storeEvent(replaced, uploading)
    const clip = { device_id: 'door', event_id: 'e1', clip_object: 'h/home/clip', event_resources: [] }
    attachClipToEvent(replaced, { ...clip, thumb_object: 'h/home/other' })
    expect(await findSubject(replaced, 'courier')).toBeUndefined()
  })
})
