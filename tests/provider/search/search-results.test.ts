import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { renameCamera, shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search, searchHistory, type SearchMatch } from '../../../contract/search/search-calls.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import {
  addAccount,
  makeEvent,
  openNeighborhood,
  type Answer,
  type Household,
  type Neighborhood,
} from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

const DAY = 86_400_000
const now = Date.now()
let town: Neighborhood
type As = Pick<Household, 'userId' | 'token'>

beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a', { nickname: 'Front door' })
  await town.a.bridge.register('yard_a', { nickname: 'Backyard', device_order: 2 })
  await town.b.bridge.register('door_b', { nickname: 'Hall' })
  const day = { event_ts: now - DAY }
  await described('door_a', 'courier', 'Person with a box', 'A courier leaves a parcel on the mat and rings, by day.')
  await town.a.bridge.post(
    makeEvent('yard_a', 'dog', {
      ...{ ...day, tags: ['4', '103', '800002'], event_values: ['pet', 'Barking'], title: 'Dog barking' },
      moments: [
        { at_s: 11.25, text: 'Barking is heard, by day.' },
        { at_s: 7.5, text: 'The dog chases a white cat along the fence, by day.' },
      ],
    }),
  )
  await described('yard_a', 'fox', 'Animal', 'A fox noses about by the kennel, at night.', ['4', '103'])
  await town.a.bridge.post(makeEvent('door_a', 'plain', { ...day, title: 'Motion', tags: ['4'], event_values: [] }))
  await town.a.bridge.post(
    makeEvent('door_a', 'coming', { ...day, title: 'Motion', tags: ['4'], event_values: [], clip_state: 'uploading' }),
  )
  for (const as of [town.a, town.b]) await town.call(as, onboardingRegister)
})
afterAll(() => town.close())

function described(device: string, id: string, title: string, text: string, tags = ['4', '101'], event_ts = now - DAY) {
  const moments = [{ at_s: 7.5, text }]
  return town.a.bridge.post(makeEvent(device, id, { event_ts, title, tags, event_values: [], moments }))
}

const range = {
  device_macs_to_include: [],
  event_tags_to_include: [],
  start_ts: now - 20 * DAY,
  end_ts: now,
  limit: 50,
}
const runSearch = (as: As, query: string, more: object = {}): Promise<Answer> =>
  town.call(as, search, { ...range, query, ...more })
const matches = (answer: Answer) => answer.body.data.events as SearchMatch[]
const listed = async (as: As, query: string, more: object = {}) =>
  matches(await runSearch(as, query, more)).map(({ event }) => event.event_id)
const sentence = (match: SearchMatch | undefined) =>
  match?.why.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('') ?? ''

describe('a search', () => {
  test('CALL-46 SEARCH-02 finds what was meant, with match explanation, start time and search coverage', async () => {
    const answer = await runSearch(town.a, 'puppy in the backyard')
    const [match, ...others] = matches(answer)
    expect(others).toEqual([])
    expect(match).toMatchObject({ strength: 'strong', at_s: 7.5, event: { event_id: 'dog', title: 'Dog barking' } })
    expect(match?.event).not.toHaveProperty('moments')
    expect(sentence(match)).toBe('[Backyard]: The [dog] chases a white cat along the fence, by day.')
    const { kept_since, ...counts } = answer.body.data.coverage
    expect(counts).toEqual({ clips: 5, searched: 3, arriving: 1, waiting: 0, undescribed: 1 })
    expect(Math.abs(kept_since - (Date.now() - 30 * DAY))).toBeLessThan(60_000)
    expect(answer.body.data.closest).toEqual([])
  })

  test('jumps to the matching moment of several', async () => {
    const [match] = matches(await runSearch(town.a, 'barking'))
    expect([match?.at_s, sentence(match)]).toEqual([11.25, '[Barking] is heard, by day.'])
  })

  test('omits partial matches if there is a full match; otherwise day or night may be missing', async () => {
    const strengths = async (query: string) =>
      matches(await runSearch(town.a, query)).map(({ event, strength }) => [event.event_id, strength])
    expect(await strengths('animal at night')).toEqual([['fox', 'strong']])
    expect(await strengths('courier at night')).toEqual([['courier', 'good']])
  })

  test('with more matches than its limit reports the total, and so does the history', async () => {
    const moments = [{ at_s: 1, text: 'A combine harvester passes.' }]
    const events = Array.from({ length: 60 }, (_, n) =>
      makeEvent('yard_a', `harvest_${n}`, { event_ts: now - 8 * DAY + n, title: 'Vehicle', event_values: [], moments }),
    )
    await town.a.bridge.send('POST', BRIDGE_PATHS.history, { device_id: 'yard_a', events })
    const days = { start_ts: now - 9 * DAY, end_ts: now - 7 * DAY }
    const { data } = (await runSearch(town.a, 'harvester', days)).body
    expect([data.events.length, data.total]).toEqual([50, 60])
    expect((await runSearch(town.a, 'harvester', { ...days, end_ts: now - 8 * DAY + 9 })).body.data.total).toBe(10)
    const { history } = (await town.call(town.a, searchHistory)).body.data
    expect(history[0]).toMatchObject({ query: 'harvester', found: 10 })
    await town.call(town.a, deleteEvents, { event_ids: events.map(({ event_id }) => event_id) })
    expect((await runSearch(town.a, 'harvester', days)).body.data.total).toBe(0)
  })

  test('is limited to the requested cameras, kinds of events and days', async () => {
    const counts = async (more: object) => (await runSearch(town.a, 'dog', more)).body.data.coverage.clips
    expect(await listed(town.a, 'dog', { device_macs_to_include: ['door_a'] })).toEqual([])
    expect(await listed(town.a, 'dog', { device_macs_to_include: ['yard_a'] })).toEqual(['dog'])
    expect(await listed(town.a, 'animal', { event_tags_to_include: ['800002'] })).toEqual(['dog'])
    expect(await listed(town.a, 'dog', { start_ts: now - DAY + 1 })).toEqual([])
    expect(await listed(town.a, 'dog', { start_ts: now - DAY, end_ts: now - DAY })).toEqual(['dog'])
    expect([await counts({ device_macs_to_include: ['yard_a'] }), await counts({ start_ts: now - 1 })]).toEqual([2, 0])
  })

  test('finds a camera by its current name', async () => {
    expect(await listed(town.a, 'orangery')).toEqual([])
    await town.call(town.a, renameCamera, { device_id: 'yard_a', nickname: 'Orangery' })
    expect((await listed(town.a, 'orangery')).toSorted()).toEqual(['dog', 'fox'])
    expect(sentence(matches(await runSearch(town.a, 'fox orangery'))[0])).toMatch(/^\[Orangery\]: A \[fox\]/)
    await town.call(town.a, renameCamera, { device_id: 'yard_a', nickname: 'Backyard' })
  })

  test('without a match returns no events, but its near misses', async () => {
    const { data } = (await runSearch(town.a, 'courier zebra elephant')).body
    expect([data.events, data.closest.map(({ event }: SearchMatch) => event.event_id)]).toEqual([[], ['courier']])
    expect((await runSearch(town.a, 'zebra')).body.data).toMatchObject({ events: [], closest: [] })
  })

  test('understands a typo and the beginning of a word', async () => {
    expect(await listed(town.a, 'curier')).toEqual(['courier'])
    expect(await listed(town.a, 'kenel')).toEqual(['fox'])
    expect(await listed(town.a, 'chas')).toEqual(['dog'])
  })

  test('reports the word that it corrected as a typo; searched as written, it finds nothing', async () => {
    const { events, said: interpretation } = (await runSearch(town.a, 'curier')).body.data
    expect(events.map(({ event, strength }: SearchMatch) => [event.event_id, strength])).toEqual([['courier', 'weak']])
    expect(interpretation.instead).toEqual([{ asked: 'curier', shown: 'courier' }])
    const literal = (await runSearch(town.a, 'curier', { as_is: true })).body.data
    expect([literal.events, literal.said.instead, literal.said.nowhere]).toEqual([[], [], ['curier']])
  })

  test('reports unmatched terms and excluded terms', async () => {
    const nowhere = (await runSearch(town.a, 'a fox with a unicorn')).body.data
    expect([nowhere.events, nowhere.said.nowhere]).toEqual([[], ['unicorn']])
    expect(nowhere.closest.map(({ event }: SearchMatch) => event.event_id)).toEqual(['fox'])
    const without = (await runSearch(town.a, 'animal without a cat')).body.data
    expect([without.events.map(({ event }: SearchMatch) => event.event_id), without.said.without]).toEqual([
      ['fox'],
      ['cat'],
    ])
  })

  test('reports areas that no camera covers, and unknown words of another language', async () => {
    expect((await runSearch(town.a, 'fox upstairs')).body.data).toMatchObject({
      events: [],
      said: { places: ['upstairs'] },
    })
    const { events, said: interpretation } = (await runSearch(town.a, 'ein Hund mit Schnurrbartwichse')).body.data
    expect([events[0].event.event_id, interpretation.unknown]).toEqual(['dog', ['schnurrbartwichse']])
  })

  test.each([
    ['quotation marks', '"dog" " OR "'],
    ['syntax of the index', 'NEAR(dog fence, 2) AND NOT title:dog* ^dog (OR)'],
    ['columns', 'device_id : door {title} : x'],
    ['SQL', "'; DROP TABLE events; --"],
    ['signs only', '*:^"()-+{}'],
    ['pictures', '🐕🐕 🦊'],
    ['stop words only', 'show me the one of it'],
    ['200 characters', 'dog '.repeat(50)],
    ['ten things', 'courier dog fox car bike moon torch sofa water animal'],
    ['one long word', 'x'.repeat(200)],
    ['other scripts and odd letters', 'ДОГ 犬 ﬁsh naïve \u0000\ue000'],
  ])('accepts a query of %s like any other', async (_, query) => {
    expect((await runSearch(town.a, query)).status).toBe(200)
    const narrow = { device_macs_to_include: ['yard_a'], event_tags_to_include: ['4', '103'] }
    expect((await runSearch(town.a, query, narrow)).status).toBe(200)
  })

  test('is rejected when it is empty, too long, or ends before it begins', async () => {
    const answers = await Promise.all([
      runSearch(town.a, '  '),
      runSearch(town.a, 'x'.repeat(201)),
      runSearch(town.a, 'dog', { limit: 51 }),
      runSearch(town.a, 'dog', { start_ts: now, end_ts: now - 1 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect((await runSearch(town.a, 'dog', { start_ts: now - 63 * DAY })).body.code).toBe(3056)
  })
})

describe('a search result', () => {
  test('is hidden from other homes: their search treats the camera as unknown and finds no events', async () => {
    expect(await listed(town.b, 'dog', { device_macs_to_include: ['door_a'] })).toEqual([])
    expect(await listed(town.b, 'dog')).toEqual([])
    expect(await listed(town.a, 'dog', { device_macs_to_include: ['nobody'] })).toEqual([])
  })

  test('disappears with a deletion and returns when the deletion is undone', async () => {
    await town.call(town.a, deleteEvents, { event_ids: ['fox'] })
    expect(await listed(town.a, 'fox')).toEqual([])
    await town.call(town.a, restoreEvents, { event_ids: ['fox'] })
    expect(await listed(town.a, 'fox')).toEqual(['fox'])
  })

  test('is never older than the retention period of the plan, even before it is deleted', async () => {
    await described('door_a', 'ancient', 'Person', 'A lamplighter lights the lamp.', ['4'], now - 31 * DAY)
    await described('door_a', 'old', 'Person', 'A lamplighter puts out the lamp.', ['4'], now - 29 * DAY)
    const answer = await runSearch(town.a, 'lamplighter', { start_ts: now - 40 * DAY })
    expect(matches(answer).map(({ event }) => event.event_id)).toEqual(['old'])
    expect(answer.body.data.coverage.clips).toBe(6)
  })

  test('includes an event whose description comes with its clip', async () => {
    const clip_object = await town.a.bridge.upload('door_a', 'clip', 'later', Buffer.from('film'))
    const change = { event_ts: now - 2 * DAY, title: 'Motion', tags: ['4'], event_values: [] }
    await town.a.bridge.post(makeEvent('door_a', 'later', { ...change, clip_state: 'uploading' }))
    expect(await listed(town.a, 'unicycle')).toEqual([])
    const moments = [{ at_s: 1, text: 'A clown on a unicycle.' }]
    await town.a.bridge.post(makeEvent('door_a', 'later', { ...change, clip_object, moments }))
    expect(await listed(town.a, 'unicycle')).toEqual(['later'])
  })

  test('has no description on the feed or in the lists', async () => {
    const feed = await openSocket((await town.call(town.a, feedTicket)).body.data.url, {
      origin: town.stage.env.PORTAL_ORIGIN,
    })
    await described('door_a', 'told', 'Person', 'A glazier mends the window.', ['4'], now - 1000)
    const { event } = await feed.receive((message) => message.type === 'event')
    const lists = { count: 10_000, device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2 }
    const { body } = await town.call(town.a, eventHistory, { ...lists, begin_time: now - 5000, end_time: now })
    expect(JSON.stringify([event, body])).toContain('told')
    expect(JSON.stringify([event, body])).not.toMatch(/glazier|moments/)
    await feed.close()
  })
})

describe('a plan', () => {
  test('without search gets a rejection with a reason', async () => {
    const free = await addAccount(town.bindings, 'free')
    const { status, body } = await runSearch(free, 'dog')
    expect([status, body.msg]).toEqual([403, expect.stringMatching(/plan/)])
    expect((await town.call(free, onboardingRegister)).status).toBe(403)
  })

  test('of the home that shares a camera counts for that camera, and for no other', async () => {
    const guest = await addAccount(town.bindings, 'guest')
    await town.call(town.a, shareCamera, { device_id: 'yard_a', email: 'guest@example.com', role: 2 })
    await town.call(guest, onboardingRegister)
    expect(await listed(guest, 'dog')).toEqual(['dog'])
    expect(await listed(guest, 'courier')).toEqual([])
    expect((await runSearch(guest, 'courier')).body.data.coverage.clips).toBe(2)
    const plan = (sku: string) =>
      town.bindings.DB.prepare("UPDATE subscriptions SET sku = ? WHERE user_id = 'user_a'").bind(sku).run()
    await plan('hms')
    expect((await runSearch(guest, 'dog')).status).toBe(403)
    await plan('unlimited')
  })

  test('in each of several homes gives one result list, best match first', async () => {
    await town.call(town.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
    const moments = [{ at_s: 2, text: 'A fox sits in the hall, at night.' }]
    const theirs = { event_ts: now - 5 * DAY, title: 'Animal', tags: ['103'], event_values: [], moments }
    await town.b.bridge.post(makeEvent('door_b', 'their_fox', theirs))
    expect(await listed(town.a, 'fox in the hall')).toEqual(['their_fox'])
    const night = [{ at_s: 2, text: 'A courier waits, at night.' }]
    await town.b.bridge.post(makeEvent('door_b', 'their_courier', { ...theirs, title: 'Person', moments: night }))
    expect(await listed(town.a, 'courier at night')).toEqual(['their_courier', 'courier'])
    expect((await runSearch(town.a, 'fox')).body.data.coverage.clips).toBeGreaterThan(6)
  })
})

describe('a query', () => {
  test('interprets times in its time zone', async () => {
    const noon = now - (now % DAY) - 2 * DAY + DAY / 2 + 20 * 60_000
    await described('yard_a', 'badger', 'Animal', 'A badger digs.', ['4', '103'], noon)
    const searchBetween = async (hours: string, zone: string) => listed(town.a, `badger between ${hours}`, { zone })
    expect(await searchBetween('21:00 and 22:00', 'Asia/Tokyo')).toEqual(['badger'])
    expect(await searchBetween('21:00 and 22:00', 'America/New_York')).toEqual([])
    expect(await searchBetween('7:00 and 9:00', 'America/New_York')).toEqual(['badger'])
    expect((await runSearch(town.a, 'badger', { zone: 'no zone' })).status).toBe(400)
  })

  test('counts objects seen at the same time, by the detections in the frame', async () => {
    const boxAt = (at: number): [number, number, number, number, number] => [at, 1, 1, 9, 9]
    const person = (from: number, to: number) => ({ kind: 'person', boxes: [from, to].map(boxAt) })
    const seen = (id: string, found: ReturnType<typeof person>[]) =>
      town.a.bridge.post(makeEvent('yard_a', id, { event_ts: now - 3 * DAY, title: 'Person', tags: ['101'], found }))
    await seen('together', [person(0, 500), person(200, 400)])
    await seen('apart', [person(0, 100), person(200, 400)])
    expect(await listed(town.a, 'two people')).toEqual(['together'])
    expect((await listed(town.a, 'somebody', { start_ts: now - 4 * DAY, end_ts: now - 3 * DAY })).length).toBe(2)
  })
})
