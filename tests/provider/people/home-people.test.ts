import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ORDER_NEWEST_FIRST, EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { people as seenPeople } from '../../../contract/events/faces.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import * as wire from '../../../contract/events/people.ts'
import { onboardingRegister, search, type SearchMatch } from '../../../contract/search/search-calls.ts'
import { makeEvent, openNeighborhood, type Account, type Neighborhood, RECENT } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { dumpDatabase, dumpObject, objectKeys } from '../../support/stored.ts'

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.b.bridge.register('door_b', { nickname: 'Porch' })
  await town.b.bridge.register('yard_b', { nickname: 'Yard', device_order: 2 })
  for (const as of [town.a, town.b]) await town.call(as, onboardingRegister)
  await town.call(town.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
})
afterAll(() => town.close())

let clock = 0
const post = (id: string, event_values: string[], title: string, text: string, device = 'door_b') =>
  town.b.bridge.post(
    makeEvent(device, id, { event_ts: RECENT + (clock += 1), event_values, title, moments: [{ at_s: 2, text }] }),
  )
const list = async (as: Account, more: object = {}): Promise<Event[]> => {
  const request = {
    ...{ begin_time: RECENT - 1000, end_time: Date.now(), count: EVENT_QUERY_COUNT, order_by: ORDER_NEWEST_FIRST },
    ...{ device_id_list: ['door_b', 'yard_b'], event_tag_list: [], event_value_list: [], ...more },
  }
  return (await town.call(as, eventHistory, request)).body.data.event_list
}
const readEvent = async (as: Account, id: string) => {
  const event = (await list(as)).find(({ event_id }) => event_id === id)
  return event && [event.title, ...event.event_values]
}
const found = async (as: Account, query: string): Promise<SearchMatch[]> => {
  const filter = { device_macs_to_include: [], event_tags_to_include: [], start_ts: RECENT - 1000, end_ts: Date.now() }
  return (await town.call(as, search, { ...filter, limit: 50, query })).body.data.events
}
const ids = async (as: Account, query: string) => (await found(as, query)).map(({ event }) => event.event_id).toSorted()
const home = async (): Promise<wire.HomePeople> =>
  (await town.call(town.b, wire.getHomePeople)).body.data.homes.find(
    ({ home_id }: wire.HomePeople) => home_id === 'home_b',
  )
const b = (more: object) => ({ home_id: 'home_b', ...more })
const name = (person_id: string, text: string | null) =>
  town.call(town.b, wire.namePerson, b({ person_id, name: text }))
const findPersonId = async (text: string) =>
  (await home()).people.find((person) => person.name === text)?.person_id ?? ''

describe('OPEN-166 people of a home', () => {
  test('are not recognized until the owner switches recognition on', async () => {
    await post('e1', ['person', 'Rosalind'], 'Rosalind', 'Rosalind rings, and Rosalind’s dog barks.')
    expect(await readEvent(town.b, 'e1')).toEqual(['Person', 'person'])
    expect(await ids(town.b, 'Rosalind')).toEqual([])
    expect((await found(town.b, 'rings'))[0]?.why.map(({ text }) => text).join('')).toBe(
      'Somebody rings, and somebody’s dog barks.',
    )
    expect(await home()).toMatchObject({ recognition: false, guests: false, people: [] })
  })

  test('have a number until the owner names them, then their name in lists, titles, search and the feed', async () => {
    await town.call(town.b, wire.setRecognition, b({ on: true, guests: false }))
    await post('e2', ['person', 'Rosalind'], 'Rosalind', 'Rosalind leaves a parcel.')
    await post('e3', ['person', 'face:7'], 'Person with a box', 'A person with a box.', 'yard_b')
    expect([await readEvent(town.b, 'e2'), await readEvent(town.b, 'e3')]).toEqual([
      ['Person 1', 'person', 'Person 1'],
      ['Person with a box', 'person', 'Person 2'],
    ])
    expect((await name('person_1', 'Rosa')).status).toBe(200)
    expect(await readEvent(town.b, 'e2')).toEqual(['Rosa', 'person', 'Rosa'])
    expect((await list(town.b, { event_value_list: ['Rosa'] })).map(({ event_id }) => event_id)).toEqual(['e2'])
    expect((await list(town.b, { event_value_list: ['Person 2'] })).map(({ event_id }) => event_id)).toEqual(['e3'])
    const [match] = await found(town.b, 'rosa with a parcel')
    expect([match?.event.title, match?.why.map(({ text }) => text).join('')]).toEqual(['Rosa', 'Rosa leaves a parcel.'])
    expect(match?.why.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['Rosa', 'parcel'])
    expect(await ids(town.b, 'Rosalind')).toEqual([])
    const socket = await openFeed(town.b)
    await post('e4', ['person', 'Rosalind', 'face:7'], 'Two people', 'Rosalind waves.')
    const notification = await socket.receive(({ type }) => type === 'event')
    expect(notification['event']).toMatchObject({ event_id: 'e4', event_values: ['person', 'Rosa', 'Person 2'] })
    await socket.close()
    expect((await home()).people).toMatchObject([
      { name: 'Rosa', named: true, events: 2, example: { event_id: 'e4' } },
      { name: 'Person 2', named: false, events: 2, first_seen: expect.any(Number) },
    ])
  })

  test('cannot be named with an event word, a number or another person’s name', async () => {
    const statuses = []
    for (const text of ['rosa', 'Motion', 'person 9', ' ']) statuses.push((await name('person_2', text)).status)
    expect(statuses).toEqual([409, 422, 422, 400])
    expect((await name('person_77', 'Otto')).status).toBe(404)
    expect((await name('person_2', 'Otto')).status).toBe(200)
    expect((await name('person_2', null)).status).toBe(200)
    expect(await readEvent(town.b, 'e3')).toEqual(['Person with a box', 'person', 'Person 2'])
  })

  test('can be merged, and separated again within ten minutes', async () => {
    expect((await town.call(town.b, wire.mergePeople, b({ person_id: 'person_2', into: 'person_1' }))).status).toBe(200)
    expect(await readEvent(town.b, 'e4')).toEqual(['Two people', 'person', 'Rosa'])
    expect(await ids(town.b, 'Rosa')).toEqual(['e2', 'e3', 'e4'])
    expect((await list(town.b, { event_value_list: ['Rosa'] })).length).toBe(3)
    expect((await home()).people).toMatchObject([{ name: 'Rosa', events: 3 }])
    const stub = town.bindings.HOMES.getByName('home_b')
    const late = Date.now() + wire.MERGE_UNDO_MS + 1000
    expect(await stub.changePeople({ kind: 'split', id: 'person_2' }, late)).toBe('late')
    expect((await town.call(town.b, wire.splitPerson, b({ person_id: 'person_2' }))).status).toBe(200)
    expect(await readEvent(town.b, 'e3')).toEqual(['Person with a box', 'person', 'Person 2'])
    expect((await town.call(town.b, wire.splitPerson, b({ person_id: 'person_2' }))).status).toBe(404)
  })

  test('are not mentioned when they are hidden', async () => {
    await town.call(town.b, wire.hidePerson, b({ person_id: 'person_2', hidden: true }))
    expect(await readEvent(town.b, 'e3')).toEqual(['Person with a box', 'person'])
    expect((await home()).people[1]).toMatchObject({ name: 'Person 2', hidden: true })
    await town.call(town.b, wire.hidePerson, b({ person_id: 'person_2', hidden: false }))
    expect(await readEvent(town.b, 'e3')).toEqual(['Person with a box', 'person', 'Person 2'])
  })

  test('are shown to guests only on shared cameras and only if the owner allows it', async () => {
    const asGuest = async () => [
      await readEvent(town.a, 'e2'),
      (await list(town.a, { event_value_list: ['Rosa'] })).length,
      (await ids(town.a, 'Rosa')).length,
      (await town.call(town.a, seenPeople, {}, { collection_id: 'home_b' })).body.data.people.length,
    ]
    expect(await asGuest()).toEqual([['Person', 'person'], 0, 0, 0])
    const feeds = await openFeed(town.a)
    await town.call(town.b, wire.setRecognition, b({ on: true, guests: true }))
    await feeds.receive(({ type }) => type === 'people')
    await feeds.close()
    expect(await asGuest()).toEqual([['Rosa', 'person', 'Rosa'], 2, 2, 2])
    expect((await town.call(town.a, wire.namePerson, b({ person_id: 'person_1', name: 'Mine' }))).status).toBe(403)
  })

  test('are deleted from all storage when they are forgotten, and their clips stay', async () => {
    await town.call(town.b, wire.setRecognition, b({ on: true, guests: false }))
    await name('person_2', 'Ottokar')
    await found(town.b, 'Ottokar with a box')
    const traces = async () => (await stored()).filter((text) => /ottokar|face:7|\uA66E2\uA66E/i.test(text))
    expect((await traces()).length).toBeGreaterThan(4)
    expect((await town.call(town.b, wire.forgetPeople, b({ person_ids: ['person_2'] }))).status).toBe(200)
    expect(await traces()).toEqual([])
    expect(await readEvent(town.b, 'e3')).toEqual(['Person with a box', 'person'])
    await post('e5', ['person', 'face:7'], 'Person', 'A person again.')
    expect(await readEvent(town.b, 'e5')).toEqual(['Person', 'person', 'Person 3'])
    expect((await town.call(town.b, wire.forgetPeople, b({ person_ids: ['person_2'] }))).status).toBe(404)
    expect((await town.call(town.b, wire.forgetPeople, b({ person_ids: null }))).status).toBe(200)
    expect((await home()).people).toEqual([])
    expect((await list(town.b)).map(({ event_id }) => event_id)).toEqual(['e5', 'e4', 'e3', 'e2', 'e1'])
    expect(await readEvent(town.b, 'e2')).toEqual(['Person', 'person'])
  })

  test('are no longer recognized when recognition is switched off, and saved names stay', async () => {
    await post('e6', ['person', 'Rosalind'], 'Rosalind', 'Rosalind again.')
    await name(await findPersonId('Person 4'), 'Rosa')
    await town.call(town.b, wire.setRecognition, b({ on: false, guests: false }))
    await post('e7', ['person', 'Rosalind'], 'Rosalind', 'Rosalind leaves.')
    expect([await readEvent(town.b, 'e6'), await readEvent(town.b, 'e7')]).toEqual([
      ['Rosa', 'person', 'Rosa'],
      ['Person', 'person'],
    ])
  })

  test('are named only on cameras whose plan includes people', async () => {
    const { DB } = town.bindings
    await town.call(town.b, wire.setRecognition, b({ on: true, guests: false }))
    for (const device of ['door_b', 'yard_b'])
      await post(`plan-${device}`, ['person', 'Rosalind'], 'Rosalind', 'Rosalind digs.', device)
    await DB.batch([
      DB.prepare("UPDATE subscriptions SET sku = 'cam-ai' WHERE user_id = 'user_b'"),
      DB.prepare("INSERT INTO bindings VALUES ('door_b', 'user_b', 0)"),
    ])
    expect([await readEvent(town.b, 'plan-door_b'), await readEvent(town.b, 'plan-yard_b')]).toEqual([
      ['Rosa', 'person', 'Rosa'],
      ['Person', 'person'],
    ])
    const named = await list(town.b, { event_value_list: ['Rosa'] })
    expect(new Set(named.map(({ device_id }) => device_id))).toEqual(new Set(['door_b']))
    expect(await home()).toMatchObject({ cameras: ['door_b'] })
    await DB.batch([
      DB.prepare("UPDATE subscriptions SET sku = 'unlimited' WHERE user_id = 'user_b'"),
      DB.prepare("DELETE FROM bindings WHERE device_id = 'door_b'"),
    ])
  })

  test('cannot be inserted into a text by a camera', async () => {
    await post('e8', ['person', '\uA66E4\uA66E'], 'It is \uA66E4\uA66E', 'Here \uA66E4\uA66E is.')
    expect(await readEvent(town.b, 'e8')).toEqual(['It is 4', 'person', '4'])
  })
})

async function openFeed(as: Account) {
  const { url } = (await town.call(as, feedTicket)).body.data
  return openSocket(url, { origin: town.stage.env.PORTAL_ORIGIN })
}

async function stored(): Promise<string[]> {
  const storage = await town.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_b' })
  const terms = (await storage.exec('SELECT DISTINCT term FROM search_words')) as unknown as { term: string }[]
  return [
    ...Object.values(await dumpDatabase(town.bindings)).flat(),
    ...Object.values(await dumpObject(town.stage, 'HOMES', 'home_b')).flat(),
    ...terms.map(({ term }) => term),
    ...(await objectKeys(town.bindings)),
  ]
}
