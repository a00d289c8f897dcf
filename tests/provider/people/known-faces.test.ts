import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFaceCollections, listCollectionPeople } from '../../../contract/events/faces.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { setRecognition } from '../../../contract/events/people.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { createBridgeEvent, openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'

const FIRST_EVENT_AT = Date.now() - 86_400_000

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.a.bridge.register('yard_a')
  const seedEvents: [string, string, string[]][] = [
    ['door_a', 'e1', ['person', 'face', 'Sam']],
    ['door_a', 'e2', ['person', 'face', 'Maya', 'Talking']],
    ['yard_a', 'e3', ['person', 'face', 'Maya', 'Sam']],
    ['yard_a', 'e4', ['person', 'Maya']],
    ['door_a', 'e5', ['pet', 'Barking', 'vehicle', 'package', 'Glass Breaking', 'sound', 'motion']],
  ]
  for (const [n, [device, id, event_values]] of seedEvents.entries())
    await neighborhood.a.bridge.postEvent(createBridgeEvent(device, id, { event_ts: FIRST_EVENT_AT + n, event_values }))
})
afterAll(() => neighborhood.close())

const listEventCounts = async (household: Household, collection_id: string) => {
  const { status, body } = await neighborhood.call(household, listCollectionPeople, {}, { collection_id })
  return status === 200
    ? body.data.people.map((person: { name: string; events: number }) => [person.name, person.events])
    : status
}

describe('known faces', () => {
  test('CALL-57 FACE-01 form one collection per home in which the account can see a camera', async () => {
    const listCollections = async (household: Household) =>
      (await neighborhood.call(household, listFaceCollections)).body.data.collections
    expect(await listCollections(neighborhood.a)).toEqual([{ collection_id: 'home_a', name: 'Home of a' }])
    expect(await listCollections(neighborhood.b)).toEqual([{ collection_id: 'home_b', name: 'Home of b' }])
    await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
    expect((await listCollections(neighborhood.b)).map((collection: { name: string }) => collection.name)).toEqual([
      'Home of b',
      'Home of a',
    ])
  })

  test('CALL-58 FACE-02 list people by name, most seen first, and no words for things or sounds', async () => {
    expect(await listEventCounts(neighborhood.a, 'home_a')).toEqual([
      ['Maya', 3],
      ['Sam', 2],
    ])
    const { body } = await neighborhood.call(neighborhood.a, listCollectionPeople, {}, { collection_id: 'home_a' })
    expect(body.data.people[0]).toMatchObject({
      person_id: expect.stringMatching(/^person_/),
      last_seen: FIRST_EVENT_AT + 3,
    })
  })

  test('cover only the account’s cameras, need the owner’s permission for guests, and disappear with their events', async () => {
    await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
    expect(await listEventCounts(neighborhood.b, 'home_a')).toEqual([])
    await neighborhood.call(neighborhood.a, setRecognition, { home_id: 'home_a', on: true, guests: true })
    expect(await listEventCounts(neighborhood.b, 'home_a')).toEqual([
      ['Maya', 1],
      ['Sam', 1],
    ])
    expect(await listEventCounts(neighborhood.a, 'home_b')).toBe(404)
    expect(await listEventCounts(neighborhood.a, 'nothing')).toBe(404)
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['e1', 'e3'] })
    expect(await listEventCounts(neighborhood.a, 'home_a')).toEqual([['Maya', 2]])
  })
})
