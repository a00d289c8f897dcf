import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ORDER_NEWEST_FIRST, EVENT_QUERY_COUNT } from '../../../contract/wire/constants.ts'
import type { Event } from '../../../contract/events/events.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { listCollectionPeople as seenPeople } from '../../../contract/events/faces.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import * as wire from '../../../contract/events/people.ts'
import { onboardingRegister, search, type SearchMatch } from '../../../contract/search/search-calls.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  type Account,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { dumpDatabase, dumpObject, listMediaKeys } from '../../support/stored.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.b.bridge.register('door_b', { nickname: 'Porch' })
  await neighborhood.b.bridge.register('yard_b', { nickname: 'Yard', device_order: 2 })
  for (const account of [neighborhood.a, neighborhood.b]) await neighborhood.call(account, onboardingRegister)
  await neighborhood.call(neighborhood.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
})
afterAll(() => neighborhood.close())

let eventOffsetMs = 0
const postEvent = (id: string, event_values: string[], title: string, text: string, device = 'door_b') =>
  neighborhood.b.bridge.postEvent(
    createBridgeEvent(device, id, {
      event_ts: RECENT_TIME_MS + (eventOffsetMs += 1),
      event_values,
      title,
      moments: [{ at_s: 2, text }],
    }),
  )
const listEvents = async (account: Account, more: object = {}): Promise<Event[]> => {
  const request = {
    begin_time: RECENT_TIME_MS - 1000,
    end_time: Date.now(),
    count: EVENT_QUERY_COUNT,
    order_by: ORDER_NEWEST_FIRST,
    device_id_list: ['door_b', 'yard_b'],
    event_tag_list: [],
    event_value_list: [],
    ...more,
  }
  return (await neighborhood.call(account, eventHistory, request)).body.data.event_list
}
const readEvent = async (account: Account, id: string) => {
  const event = (await listEvents(account)).find(({ event_id }) => event_id === id)
  return event && [event.title, ...event.event_values]
}
const searchEvents = async (account: Account, query: string): Promise<SearchMatch[]> => {
  const filter = {
    device_macs_to_include: [],
    event_tags_to_include: [],
    start_ts: RECENT_TIME_MS - 1000,
    end_ts: Date.now(),
  }
  return (await neighborhood.call(account, search, { ...filter, limit: 50, query })).body.data.events
}
const searchEventIds = async (account: Account, query: string) =>
  (await searchEvents(account, query)).map(({ event }) => event.event_id).toSorted()
const fetchHomePeople = async (): Promise<wire.HomePeople> =>
  (await neighborhood.call(neighborhood.b, wire.getHomePeople)).body.data.homes.find(
    ({ home_id }: wire.HomePeople) => home_id === 'home_b',
  )
const withHomeId = (more: object) => ({ home_id: 'home_b', ...more })
const namePerson = (person_id: string, text: string | null) =>
  neighborhood.call(neighborhood.b, wire.namePerson, withHomeId({ person_id, name: text }))
const findPersonId = async (text: string) =>
  (await fetchHomePeople()).people.find((person) => person.name === text)?.person_id ?? ''

describe('OPEN-166 people of a home', () => {
  test('are not recognized until the owner switches recognition on', async () => {
    await postEvent('e1', ['person', 'Rosalind'], 'Rosalind', 'Rosalind rings, and Rosalind’s dog barks.')
    expect(await readEvent(neighborhood.b, 'e1')).toEqual(['Person', 'person'])
    expect(await searchEventIds(neighborhood.b, 'Rosalind')).toEqual([])
    expect((await searchEvents(neighborhood.b, 'rings'))[0]?.why.map(({ text }) => text).join('')).toBe(
      'Someone rings, and someone’s dog barks.',
    )
    expect(await fetchHomePeople()).toMatchObject({ recognition: false, guests: false, people: [] })
  })

  test('have a number until the owner names them, then their name in lists, titles, search and the feed', async () => {
    await neighborhood.call(neighborhood.b, wire.setRecognition, withHomeId({ on: true, guests: false }))
    await postEvent('e2', ['person', 'Rosalind'], 'Rosalind', 'Rosalind leaves a parcel.')
    await postEvent('e3', ['person', 'face:7'], 'Person with a box', 'A person with a box.', 'yard_b')
    expect([await readEvent(neighborhood.b, 'e2'), await readEvent(neighborhood.b, 'e3')]).toEqual([
      ['Person 1', 'person', 'Person 1'],
      ['Person with a box', 'person', 'Person 2'],
    ])
    expect((await namePerson('person_1', 'Rosa')).status).toBe(200)
    expect(await readEvent(neighborhood.b, 'e2')).toEqual(['Rosa', 'person', 'Rosa'])
    expect((await listEvents(neighborhood.b, { event_value_list: ['Rosa'] })).map(({ event_id }) => event_id)).toEqual([
      'e2',
    ])
    expect(
      (await listEvents(neighborhood.b, { event_value_list: ['Person 2'] })).map(({ event_id }) => event_id),
    ).toEqual(['e3'])
    const [match] = await searchEvents(neighborhood.b, 'rosa with a parcel')
    expect([match?.event.title, match?.why.map(({ text }) => text).join('')]).toEqual(['Rosa', 'Rosa leaves a parcel.'])
    expect(match?.why.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['Rosa', 'parcel'])
    expect(await searchEventIds(neighborhood.b, 'Rosalind')).toEqual([])
    const socket = await openFeed(neighborhood.b)
    await postEvent('e4', ['person', 'Rosalind', 'face:7'], 'Two people', 'Rosalind waves.')
    const notification = await socket.receive(({ type }) => type === 'event')
    expect(notification['event']).toMatchObject({ event_id: 'e4', event_values: ['person', 'Rosa', 'Person 2'] })
    await socket.close()
    expect((await fetchHomePeople()).people).toMatchObject([
      { name: 'Rosa', named: true, events: 2, example: { event_id: 'e4' } },
      { name: 'Person 2', named: false, events: 2, first_seen: expect.any(Number) },
    ])
  })

  test('cannot be named with an event word, a number or another person’s name', async () => {
    const statuses = []
    for (const text of ['rosa', 'Motion', 'person 9', ' ']) statuses.push((await namePerson('person_2', text)).status)
    expect(statuses).toEqual([409, 422, 422, 400])
    expect((await namePerson('person_77', 'Otto')).status).toBe(404)
    expect((await namePerson('person_2', 'Otto')).status).toBe(200)
    expect((await namePerson('person_2', null)).status).toBe(200)
    expect(await readEvent(neighborhood.b, 'e3')).toEqual(['Person with a box', 'person', 'Person 2'])
  })

  test('can be merged, and separated again within ten minutes', async () => {
    expect(
      (
        await neighborhood.call(
          neighborhood.b,
          wire.mergePeople,
          withHomeId({ person_id: 'person_2', into: 'person_1' }),
        )
      ).status,
    ).toBe(200)
    expect(await readEvent(neighborhood.b, 'e4')).toEqual(['Two people', 'person', 'Rosa'])
    expect(await searchEventIds(neighborhood.b, 'Rosa')).toEqual(['e2', 'e3', 'e4'])
    expect((await listEvents(neighborhood.b, { event_value_list: ['Rosa'] })).length).toBe(3)
    expect((await fetchHomePeople()).people).toMatchObject([{ name: 'Rosa', events: 3 }])
    const stub = neighborhood.bindings.HOMES.getByName('home_b')
    const late = Date.now() + wire.MERGE_UNDO_MS + 1000
    expect(await stub.changePeople({ kind: 'split', id: 'person_2' }, late)).toBe('late')
    expect(
      (await neighborhood.call(neighborhood.b, wire.splitPerson, withHomeId({ person_id: 'person_2' }))).status,
    ).toBe(200)
    expect(await readEvent(neighborhood.b, 'e3')).toEqual(['Person with a box', 'person', 'Person 2'])
    expect(
      (await neighborhood.call(neighborhood.b, wire.splitPerson, withHomeId({ person_id: 'person_2' }))).status,
    ).toBe(404)
  })

  test('are not mentioned when they are hidden', async () => {
    await neighborhood.call(neighborhood.b, wire.hidePerson, withHomeId({ person_id: 'person_2', hidden: true }))
    expect(await readEvent(neighborhood.b, 'e3')).toEqual(['Person with a box', 'person'])
    expect((await fetchHomePeople()).people[1]).toMatchObject({ name: 'Person 2', hidden: true })
    await neighborhood.call(neighborhood.b, wire.hidePerson, withHomeId({ person_id: 'person_2', hidden: false }))
    expect(await readEvent(neighborhood.b, 'e3')).toEqual(['Person with a box', 'person', 'Person 2'])
  })

  test('are shown to guests only on shared cameras and only if the owner allows it', async () => {
    const collectGuestView = async () => [
      await readEvent(neighborhood.a, 'e2'),
      (await listEvents(neighborhood.a, { event_value_list: ['Rosa'] })).length,
      (await searchEventIds(neighborhood.a, 'Rosa')).length,
      (await neighborhood.call(neighborhood.a, seenPeople, {}, { collection_id: 'home_b' })).body.data.people.length,
    ]
    expect(await collectGuestView()).toEqual([['Person', 'person'], 0, 0, 0])
    const guestFeed = await openFeed(neighborhood.a)
    await neighborhood.call(neighborhood.b, wire.setRecognition, withHomeId({ on: true, guests: true }))
    await guestFeed.receive(({ type }) => type === 'people')
    await guestFeed.close()
    expect(await collectGuestView()).toEqual([['Rosa', 'person', 'Rosa'], 2, 2, 2])
    expect(
      (await neighborhood.call(neighborhood.a, wire.namePerson, withHomeId({ person_id: 'person_1', name: 'Mine' })))
        .status,
    ).toBe(403)
  })

  test('are deleted from all storage when they are forgotten, and their clips stay', async () => {
    await neighborhood.call(neighborhood.b, wire.setRecognition, withHomeId({ on: true, guests: false }))
    await namePerson('person_2', 'Ottokar')
    await searchEvents(neighborhood.b, 'Ottokar with a box')
    const findTraces = async () =>
      (await collectStoredText()).filter((text) => /ottokar|face:7|\uA66E2\uA66E/i.test(text))
    expect((await findTraces()).length).toBeGreaterThan(4)
    expect(
      (await neighborhood.call(neighborhood.b, wire.deletePeopleData, withHomeId({ person_ids: ['person_2'] }))).status,
    ).toBe(200)
    expect(await findTraces()).toEqual([])
    expect(await readEvent(neighborhood.b, 'e3')).toEqual(['Person with a box', 'person'])
    await postEvent('e5', ['person', 'face:7'], 'Person', 'A person again.')
    expect(await readEvent(neighborhood.b, 'e5')).toEqual(['Person', 'person', 'Person 3'])
    expect(
      (await neighborhood.call(neighborhood.b, wire.deletePeopleData, withHomeId({ person_ids: ['person_2'] }))).status,
    ).toBe(404)
    expect(
      (await neighborhood.call(neighborhood.b, wire.deletePeopleData, withHomeId({ person_ids: null }))).status,
    ).toBe(200)
    expect((await fetchHomePeople()).people).toEqual([])
    expect((await listEvents(neighborhood.b)).map(({ event_id }) => event_id)).toEqual(['e5', 'e4', 'e3', 'e2', 'e1'])
    expect(await readEvent(neighborhood.b, 'e2')).toEqual(['Person', 'person'])
  })

  test('are no longer recognized when recognition is switched off, and saved names stay', async () => {
    await postEvent('e6', ['person', 'Rosalind'], 'Rosalind', 'Rosalind again.')
    await namePerson(await findPersonId('Person 4'), 'Rosa')
    await neighborhood.call(neighborhood.b, wire.setRecognition, withHomeId({ on: false, guests: false }))
    await postEvent('e7', ['person', 'Rosalind'], 'Rosalind', 'Rosalind leaves.')
    expect([await readEvent(neighborhood.b, 'e6'), await readEvent(neighborhood.b, 'e7')]).toEqual([
      ['Rosa', 'person', 'Rosa'],
      ['Person', 'person'],
    ])
  })

  test('are named only on cameras whose plan includes people', async () => {
    const { DB } = neighborhood.bindings
    await neighborhood.call(neighborhood.b, wire.setRecognition, withHomeId({ on: true, guests: false }))
    for (const device of ['door_b', 'yard_b'])
      await postEvent(`plan-${device}`, ['person', 'Rosalind'], 'Rosalind', 'Rosalind digs.', device)
    await DB.batch([
      DB.prepare("UPDATE subscriptions SET sku = 'cam-ai' WHERE user_id = 'user_b'"),
      DB.prepare("INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES ('door_b', 'user_b', 0)"),
    ])
    expect([await readEvent(neighborhood.b, 'plan-door_b'), await readEvent(neighborhood.b, 'plan-yard_b')]).toEqual([
      ['Rosa', 'person', 'Rosa'],
      ['Person', 'person'],
    ])
    const named = await listEvents(neighborhood.b, { event_value_list: ['Rosa'] })
    expect(new Set(named.map(({ device_id }) => device_id))).toEqual(new Set(['door_b']))
    expect(await fetchHomePeople()).toMatchObject({ cameras: ['door_b'] })
    await DB.batch([
      DB.prepare("UPDATE subscriptions SET sku = 'unlimited' WHERE user_id = 'user_b'"),
      DB.prepare("DELETE FROM bindings WHERE device_id = 'door_b'"),
    ])
  })

  test('cannot be inserted into a text by a camera', async () => {
    await postEvent('e8', ['person', '\uA66E4\uA66E'], 'It is \uA66E4\uA66E', 'Here \uA66E4\uA66E is.')
    expect(await readEvent(neighborhood.b, 'e8')).toEqual(['It is 4', 'person', '4'])
    await postEvent('e9', ['person', 'face:9'], 'It is \uA66E4\uA66E', 'Here \uA66E4\uA66E is.')
    expect(await readEvent(neighborhood.b, 'e9')).toEqual(['It is 4', 'person', expect.any(String)])
  })
})

async function openFeed(account: Account) {
  const { url } = (await neighborhood.call(account, feedTicket)).body.data
  return openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
}

async function collectStoredText(): Promise<string[]> {
  const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_b' })
  const terms = (await storage.exec('SELECT DISTINCT term FROM search_words')) as unknown as { term: string }[]
  return [
    ...Object.values(await dumpDatabase(neighborhood.bindings)).flat(),
    ...Object.values(await dumpObject(neighborhood.stage, 'HOMES', 'home_b')).flat(),
    ...terms.map(({ term }) => term),
    ...(await listMediaKeys(neighborhood.bindings)),
  ]
}
