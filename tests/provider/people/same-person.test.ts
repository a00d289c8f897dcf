import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { VISIT_GAP_MS } from '../../../contract/events/events.ts'
import * as wire from '../../../contract/events/people.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood, RECENT_TIME_MS } from '../../support/home.ts'
import { dumpObject } from '../../support/stored.ts'

const FIRST_VISIT_MS = RECENT_TIME_MS - 6 * HOUR_MS
const VISIT_INTERVAL_MS = 10 * MINUTE_MS
const SHORT_GAP_MS = VISIT_GAP_MS - 1
let neighborhood: Neighborhood

/** Numbers of the people whom the home has added, by face. */
const persons = new Map<string, number>()
let lastPerson = 0
let eventCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.b.bridge.register('door_b', { nickname: 'Porch' })
  await neighborhood.b.bridge.register('yard_b', { nickname: 'Yard', device_order: 2 })
  await callAsOwner(wire.setRecognition, { on: true, guests: false })
})
afterAll(() => neighborhood.close())
beforeEach(async () => {
  persons.clear()
  await removePlanLimit()
  await callAsOwner(wire.deletePeopleData, { person_ids: null })
})

const callAsOwner = (call: Parameters<Neighborhood['call']>[1], input: object = {}) =>
  neighborhood.call(neighborhood.b, call, { home_id: 'home_b', ...input })

/**
 * Adds an event that shows these faces. `atMs`: start, relative to the first visit. `clipMs`: length of the clip; 0 for
 * an event without a clip.
 */
async function addEvent(faces: readonly string[], atMs: number, camera = 'door_b', clipMs = 0): Promise<void> {
  const event_ts = FIRST_VISIT_MS + atMs
  const id = `event-${(eventCount += 1)}`
  const resource = {
    begin_time: event_ts,
    end_time: event_ts + clipMs,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  const clip = clipMs > 0 && {
    clip_object: await neighborhood.b.bridge.upload(camera, 'clip', id, Buffer.from(id)),
    event_resources: [resource],
  }
  const event_values = ['person', ...faces.map((face) => `face:${face}`)]
  const event = createBridgeEvent(camera, id, { event_ts, event_values, ...clip })
  expect((await neighborhood.b.bridge.postEvent(event)).status).toBe(200)
  for (const face of faces) if (!persons.has(face)) persons.set(face, (lastPerson += 1))
}

/** Adds an event of each face in turn, `gapMs` apart. `visit`: number of the visit; visits are 10 minutes apart. */
async function addVisit(faces: readonly string[], visit: number, gapMs = SHORT_GAP_MS, camera?: string): Promise<void> {
  for (const [i, face] of faces.entries()) await addEvent([face], visit * VISIT_INTERVAL_MS + i * gapMs, camera)
}

const toId = (face: string) => `person_${persons.get(face)}`
const readHome = async (): Promise<wire.HomePeople> => (await callAsOwner(wire.getHomePeople)).body.data.homes[0]
const listSuggestions = async () => (await readHome()).suggestions
const listPairs = async () => (await listSuggestions()).map(({ into, person_id }) => [into, person_id])
const markDifferent = (face: string, other: string, different = true) =>
  callAsOwner(wire.markDifferentPeople, { person_id: toId(face), other_id: toId(other), different })
const readTable = async () => (await dumpObject(neighborhood.stage, 'HOMES', 'home_b'))['different_people'] ?? []

/** Replaces the plan of the home by one that includes people only on this camera. */
async function limitPlanTo(camera: string): Promise<void> {
  const { DB } = neighborhood.bindings
  await DB.batch([
    DB.prepare("UPDATE subscriptions SET sku = 'cam-ai' WHERE user_id = 'user_b'"),
    DB.prepare("INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES (?, 'user_b', 0)").bind(camera),
  ])
}
async function removePlanLimit(): Promise<void> {
  const { DB } = neighborhood.bindings
  await DB.batch([
    DB.prepare("UPDATE subscriptions SET sku = 'unlimited' WHERE user_id = 'user_b'"),
    DB.prepare("DELETE FROM bindings WHERE subscription_id = 'user_b'"),
  ])
}

describe('OPEN-166 two people are suggested as one', () => {
  test('after two visits of one camera with clips of both less than a minute apart', async () => {
    await addVisit(['a', 'b'], 0)
    expect(await listSuggestions()).toEqual([])
    await addVisit(['b', 'a'], 1)
    expect(await listSuggestions()).toEqual([{ into: toId('a'), person_id: toId('b'), visits: 2, cameras: ['Porch'] }])
  })

  test('but not after longer gaps, or clips of different cameras', async () => {
    for (const visit of [0, 1]) {
      await addVisit(['a', 'b'], visit, VISIT_GAP_MS)
      await addVisit(['c'], visit + 2)
      await addVisit(['d'], visit + 2, 0, 'yard_b')
    }
    expect(await listSuggestions()).toEqual([])
  })

  test('measuring the gap from the end of a clip', async () => {
    for (const visit of [0, 1]) {
      await addEvent(['a'], visit * VISIT_INTERVAL_MS, 'door_b', VISIT_GAP_MS)
      await addEvent(['b'], visit * VISIT_INTERVAL_MS + VISIT_GAP_MS + SHORT_GAP_MS)
    }
    expect(await listPairs()).toEqual([[toId('b'), toId('a')]])
  })

  test('counting a visit with many clips once', async () => {
    await addVisit(['a', 'b', 'a', 'b'], 0)
    expect(await listSuggestions()).toEqual([])
  })

  test('but never if any clip shows both', async () => {
    for (const visit of [0, 1]) await addVisit(['a', 'b'], visit)
    await addEvent(['a', 'b'], HOUR_MS, 'yard_b')
    expect(await listSuggestions()).toEqual([])
  })

  test('not even if no plan shows that clip', async () => {
    for (const visit of [0, 1]) await addVisit(['a', 'b'], visit)
    await addEvent(['a', 'b'], HOUR_MS, 'yard_b')
    await limitPlanTo('door_b')
    expect([(await readHome()).cameras, await listSuggestions()]).toEqual([['door_b'], []])
  })

  test('unless one is hidden or both are named', async () => {
    for (const visit of [0, 1]) await addVisit(['a', 'b'], visit)
    // Without an unnamed person, the home would not compare anyone.
    await addVisit(['c', 'c'], 8)
    await callAsOwner(wire.hidePerson, { person_id: toId('a'), hidden: true })
    expect(await listSuggestions()).toEqual([])
    await callAsOwner(wire.namePerson, { person_id: toId('b'), name: 'Sam' })
    await callAsOwner(wire.hidePerson, { person_id: toId('a'), hidden: false })
    expect(await listPairs()).toEqual([[toId('b'), toId('a')]])
    await callAsOwner(wire.namePerson, { person_id: toId('a'), name: 'Dan' })
    expect(await listSuggestions()).toEqual([])
  })

  test('with most visits first, at most three pairs, and with the cameras by number of visits', async () => {
    for (const visit of [0, 1, 2, 3]) await addVisit(['a', 'b'], visit, SHORT_GAP_MS, visit === 0 ? 'door_b' : 'yard_b')
    for (const [i, pair] of ['cd', 'ef', 'gh'].entries())
      for (const visit of [0, 1]) await addVisit([...pair], 4 + 2 * i + visit)
    const suggestions = await listSuggestions()
    expect([suggestions.length, suggestions[0]]).toEqual([
      3,
      { into: toId('b'), person_id: toId('a'), visits: 4, cameras: ['Yard', 'Porch'] },
    ])
  })

  test('only while recognition is on, and only from cameras whose plan includes people', async () => {
    for (const visit of [0, 1]) await addVisit(['a', 'b'], visit)
    await callAsOwner(wire.setRecognition, { on: false, guests: false })
    expect(await listSuggestions()).toEqual([])
    await callAsOwner(wire.setRecognition, { on: true, guests: false })
    await limitPlanTo('yard_b')
    expect([(await readHome()).cameras, await listSuggestions()]).toEqual([['yard_b'], []])
    await removePlanLimit()
    expect(await listPairs()).toHaveLength(1)
  })
})

describe('OPEN-166 two people whom the owner marks as different', () => {
  beforeEach(async () => {
    for (const visit of [0, 1]) await addVisit(['a', 'b'], visit)
  })

  test('are not suggested until the owner undoes this', async () => {
    expect((await markDifferent('b', 'a')).status).toBe(200)
    expect(await listSuggestions()).toEqual([])
    expect((await markDifferent('a', 'b', false)).status).toBe(200)
    expect(await listPairs()).toHaveLength(1)
  })

  test('stay different after one of them is merged into a third person', async () => {
    await addVisit(['c'], 8)
    await markDifferent('a', 'b')
    await callAsOwner(wire.mergePeople, { person_id: toId('b'), into: toId('c') })
    expect(await listSuggestions()).toEqual([])
    expect((await markDifferent('a', 'b')).status).toBe(404)
    await markDifferent('a', 'c')
    await callAsOwner(wire.splitPerson, { person_id: toId('b') })
    expect(await listSuggestions()).toEqual([])
  })

  test('must both exist', async () => {
    expect((await markDifferent('a', 'a')).status).toBe(404)
    persons.set('nobody', 999_999)
    expect([(await markDifferent('a', 'nobody')).status, (await markDifferent('nobody', 'a')).status]).toEqual([
      404, 404,
    ])
    expect(await readTable()).toEqual([])
  })

  test('are stored only until one of them is forgotten', async () => {
    await addVisit(['c'], 8)
    await markDifferent('a', 'b')
    await markDifferent('b', 'c')
    await markDifferent('a', 'c')
    expect(await readTable()).toHaveLength(3)
    await callAsOwner(wire.deletePeopleData, { person_ids: [toId('b')] })
    expect(await readTable()).toHaveLength(1)
    await callAsOwner(wire.deletePeopleData, { person_ids: null })
    expect(await readTable()).toEqual([])
  })

  test('cannot be marked by a guest', async () => {
    await neighborhood.call(neighborhood.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
    const pair = { home_id: 'home_b', person_id: toId('a'), other_id: toId('b'), different: true }
    expect((await neighborhood.call(neighborhood.a, wire.markDifferentPeople, pair)).status).toBe(403)
    expect(await listPairs()).toHaveLength(1)
  })
})
