import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collections, people } from '../../../contract/events/faces.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { setRecognition } from '../../../contract/events/people.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { makeEvent, openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'

const T = Date.now() - 86_400_000

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a')
  await town.a.bridge.register('yard_a')
  const seen: [string, string, string[]][] = [
    ['door_a', 'e1', ['person', 'face', 'Sam']],
    ['door_a', 'e2', ['person', 'face', 'Maya', 'Talking']],
    ['yard_a', 'e3', ['person', 'face', 'Maya', 'Sam']],
    ['yard_a', 'e4', ['person', 'Maya']],
    ['door_a', 'e5', ['pet', 'Barking', 'vehicle', 'package', 'Glass Breaking', 'sound', 'motion']],
  ]
  for (const [n, [device, id, event_values]] of seen.entries())
    await town.a.bridge.post(makeEvent(device, id, { event_ts: T + n, event_values }))
})
afterAll(() => town.close())

const listed = async (as: Household, collection_id: string) => {
  const { status, body } = await town.call(as, people, {}, { collection_id })
  return status === 200
    ? body.data.people.map((person: { name: string; events: number }) => [person.name, person.events])
    : status
}

describe('known faces', () => {
  test('CALL-57 FACE-01 form one collection per home in which the account can see a camera', async () => {
    const of = async (as: Household) => (await town.call(as, collections)).body.data.collections
    expect(await of(town.a)).toEqual([{ collection_id: 'home_a', name: 'Home of a' }])
    expect(await of(town.b)).toEqual([{ collection_id: 'home_b', name: 'Home of b' }])
    await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
    expect((await of(town.b)).map((collection: { name: string }) => collection.name)).toEqual([
      'Home of b',
      'Home of a',
    ])
  })

  test('CALL-58 FACE-02 list people by name, most seen first, and no words for things or sounds', async () => {
    expect(await listed(town.a, 'home_a')).toEqual([
      ['Maya', 3],
      ['Sam', 2],
    ])
    const { body } = await town.call(town.a, people, {}, { collection_id: 'home_a' })
    expect(body.data.people[0]).toMatchObject({ person_id: expect.stringMatching(/^person_/), last_seen: T + 3 })
  })

  test('cover only the account’s cameras, need the owner’s permission for guests, and disappear with their events', async () => {
    await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
    expect(await listed(town.b, 'home_a')).toEqual([])
    await town.call(town.a, setRecognition, { home_id: 'home_a', on: true, guests: true })
    expect(await listed(town.b, 'home_a')).toEqual([
      ['Maya', 1],
      ['Sam', 1],
    ])
    expect(await listed(town.a, 'home_b')).toBe(404)
    expect(await listed(town.a, 'nothing')).toBe(404)
    await town.call(town.a, deleteEvents, { event_ids: ['e1', 'e3'] })
    expect(await listed(town.a, 'home_a')).toEqual([['Maya', 2]])
  })
})
