import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { renameCamera } from '../../../contract/cameras/owner-calls.ts'
import { search, searchHistory, type SearchMatch } from '../../../contract/search/search-calls.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import { type Account, createBridgeEvent, type CallResponse, type Neighborhood } from '../../support/home.ts'
import {
  buildSearchInput,
  getMatches,
  openSearchNeighborhood,
  postDescribedEvent,
} from '../../support/search-neighborhood.ts'
import { openSocket } from '../../support/socket.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const PERSON = { title: 'Person', tags: ['4'] }
const now = Date.now()
let neighborhood: Neighborhood

beforeAll(async () => {
  neighborhood = await openSearchNeighborhood(now)
})
afterAll(() => neighborhood.close())

const runSearch = (account: Account, query: string, more: object = {}): Promise<CallResponse> =>
  neighborhood.call(account, search, buildSearchInput(now, query, more))
const searchEventIds = async (account: Account, query: string, more: object = {}) =>
  getMatches(await runSearch(account, query, more)).map(({ event }) => event.event_id)
const formatExplanation = (match: SearchMatch | undefined) =>
  match?.why.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('') ?? ''

describe('a search', () => {
  test('CALL-46 SEARCH-02 finds what was meant, with match explanation, start time and search coverage', async () => {
    const answer = await runSearch(neighborhood.a, 'puppy in the backyard')
    const [match, ...others] = getMatches(answer)
    expect(others).toEqual([])
    expect(match).toMatchObject({ strength: 'strong', at_s: 7.5, event: { event_id: 'dog', title: 'Dog barking' } })
    expect(match?.event).not.toHaveProperty('moments')
    expect(formatExplanation(match)).toBe('[Backyard]: The [dog] chases a white cat along the fence, by day.')
    const { kept_since, ...counts } = answer.body.data.coverage
    expect(counts).toEqual({ clips: 5, searched: 3, arriving: 1, waiting: 0, undescribed: 1 })
    expect(Math.abs(kept_since - (Date.now() - 30 * DAY_MS))).toBeLessThan(60_000)
    expect(answer.body.data.closest).toEqual([])
  })

  test('jumps to the matching moment of several', async () => {
    const [match] = getMatches(await runSearch(neighborhood.a, 'barking'))
    expect([match?.at_s, formatExplanation(match)]).toEqual([11.25, '[Barking] is heard, by day.'])
  })

  test('omits partial matches if there is a full match; otherwise day or night may be missing', async () => {
    const listStrengths = async (query: string) =>
      getMatches(await runSearch(neighborhood.a, query)).map(({ event, strength }) => [event.event_id, strength])
    expect(await listStrengths('animal at night')).toEqual([['fox', 'strong']])
    expect(await listStrengths('courier at night')).toEqual([['courier', 'good']])
  })

  test('with more matches than its limit reports the total, and so does the history', async () => {
    const moments = [{ at_s: 1, text: 'A combine harvester passes.' }]
    const events = Array.from({ length: 60 }, (_, n) =>
      createBridgeEvent('yard_a', `harvest_${n}`, {
        event_ts: now - 8 * DAY_MS + n,
        title: 'Vehicle',
        event_values: [],
        moments,
      }),
    )
    await neighborhood.a.bridge.send('POST', BRIDGE_PATHS.history, { device_id: 'yard_a', events })
    const days = { start_ts: now - 9 * DAY_MS, end_ts: now - 7 * DAY_MS }
    const { data } = (await runSearch(neighborhood.a, 'harvester', days)).body
    expect([data.events.length, data.total]).toEqual([50, 60])
    const rest = (await runSearch(neighborhood.a, 'harvester', { ...days, offset: 50 })).body.data
    const ids = [...data.events, ...rest.events].map(({ event }: SearchMatch) => event.event_id)
    expect([rest.events.length, rest.total, new Set(ids).size]).toEqual([10, 60, 60])
    expect(
      (await runSearch(neighborhood.a, 'harvester', { ...days, end_ts: now - 8 * DAY_MS + 9 })).body.data.total,
    ).toBe(10)
    const { history } = (await neighborhood.call(neighborhood.a, searchHistory)).body.data
    expect(history[0]).toMatchObject({ query: 'harvester', found: 10 })
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: events.map(({ event_id }) => event_id) })
    expect((await runSearch(neighborhood.a, 'harvester', days)).body.data.total).toBe(0)
  })

  test('is limited to the requested cameras, kinds of events and days', async () => {
    const counts = async (more: object) => (await runSearch(neighborhood.a, 'dog', more)).body.data.coverage.clips
    expect(await searchEventIds(neighborhood.a, 'dog', { device_macs_to_include: ['door_a'] })).toEqual([])
    expect(await searchEventIds(neighborhood.a, 'dog', { device_macs_to_include: ['yard_a'] })).toEqual(['dog'])
    expect(await searchEventIds(neighborhood.a, 'animal', { event_tags_to_include: ['800002'] })).toEqual(['dog'])
    expect(await searchEventIds(neighborhood.a, 'dog', { start_ts: now - DAY_MS + 1 })).toEqual([])
    expect(await searchEventIds(neighborhood.a, 'dog', { start_ts: now - DAY_MS, end_ts: now - DAY_MS })).toEqual([
      'dog',
    ])
    expect([await counts({ device_macs_to_include: ['yard_a'] }), await counts({ start_ts: now - 1 })]).toEqual([2, 0])
  })

  test('finds a camera by its current name', async () => {
    expect(await searchEventIds(neighborhood.a, 'orangery')).toEqual([])
    await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'yard_a', nickname: 'Orangery' })
    expect((await searchEventIds(neighborhood.a, 'orangery')).toSorted()).toEqual(['dog', 'fox'])
    expect(formatExplanation(getMatches(await runSearch(neighborhood.a, 'fox orangery'))[0])).toMatch(
      /^\[Orangery\]: A \[fox\]/,
    )
    await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'yard_a', nickname: 'Backyard' })
  })

  test('without a match returns no events, but its near misses', async () => {
    const { data } = (await runSearch(neighborhood.a, 'courier zebra elephant')).body
    expect([data.events, data.closest.map(({ event }: SearchMatch) => event.event_id)]).toEqual([[], ['courier']])
    expect((await runSearch(neighborhood.a, 'zebra')).body.data).toMatchObject({ events: [], closest: [] })
  })

  test('understands a typo and the beginning of a word', async () => {
    expect(await searchEventIds(neighborhood.a, 'curier')).toEqual(['courier'])
    expect(await searchEventIds(neighborhood.a, 'kenel')).toEqual(['fox'])
    expect(await searchEventIds(neighborhood.a, 'chas')).toEqual(['dog'])
  })

  test('reports the word that it corrected as a typo; searched as written, it finds nothing', async () => {
    const { events, said: interpretation } = (await runSearch(neighborhood.a, 'curier')).body.data
    expect(events.map(({ event, strength }: SearchMatch) => [event.event_id, strength])).toEqual([['courier', 'weak']])
    expect(interpretation.instead).toEqual([{ asked: 'curier', shown: 'courier' }])
    const literal = (await runSearch(neighborhood.a, 'curier', { as_is: true })).body.data
    expect([literal.events, literal.said.instead, literal.said.nowhere]).toEqual([[], [], ['curier']])
  })

  test('reports unmatched terms and excluded terms', async () => {
    const nowhere = (await runSearch(neighborhood.a, 'a fox with a unicorn')).body.data
    expect([nowhere.events, nowhere.said.nowhere]).toEqual([[], ['unicorn']])
    expect(nowhere.closest.map(({ event }: SearchMatch) => event.event_id)).toEqual(['fox'])
    const without = (await runSearch(neighborhood.a, 'animal without a cat')).body.data
    expect([without.events.map(({ event }: SearchMatch) => event.event_id), without.said.without]).toEqual([
      ['fox'],
      ['cat'],
    ])
  })

  test('reports areas that no camera covers, and unknown words of another language', async () => {
    expect((await runSearch(neighborhood.a, 'fox upstairs')).body.data).toMatchObject({
      events: [],
      said: { places: ['upstairs'] },
    })
    const { events, said: interpretation } = (await runSearch(neighborhood.a, 'ein Hund mit Schnurrbartwichse')).body
      .data
    expect([events[0].event.event_id, interpretation.unknown]).toEqual(['dog', ['schnurrbartwichse']])
  })

  test.each([
    ['quotation marks', '"dog" " OR "'],
    ['full-text index syntax', 'NEAR(dog fence, 2) AND NOT title:dog* ^dog (OR)'],
    ['column filters', 'device_id : door {title} : x'],
    ['SQL', "'; DROP TABLE events; --"],
    ['punctuation only', '*:^"()-+{}'],
    ['emoji', '🐕🐕 🦊'],
    ['stop words only', 'show me the one of it'],
    ['200 characters', 'dog '.repeat(50)],
    ['ten terms', 'courier dog fox car bike moon torch sofa water animal'],
    ['one long word', 'x'.repeat(200)],
    ['other scripts and unusual characters', 'ДОГ 犬 ﬁsh naïve \u0000\ue000'],
  ])('accepts a query of %s like any other', async (_, query) => {
    expect((await runSearch(neighborhood.a, query)).status).toBe(200)
    const narrow = { device_macs_to_include: ['yard_a'], event_tags_to_include: ['4', '103'] }
    expect((await runSearch(neighborhood.a, query, narrow)).status).toBe(200)
  })

  test('is rejected when it is empty, too long, or ends before it begins', async () => {
    const answers = await Promise.all([
      runSearch(neighborhood.a, '  '),
      runSearch(neighborhood.a, 'x'.repeat(201)),
      runSearch(neighborhood.a, 'dog', { limit: 51 }),
      runSearch(neighborhood.a, 'dog', { start_ts: now, end_ts: now - 1 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect((await runSearch(neighborhood.a, 'dog', { start_ts: now - 63 * DAY_MS })).body.code).toBe(3056)
  })
})

describe('a search result', () => {
  test('is hidden from other homes: their search treats the camera as unknown and finds no events', async () => {
    expect(await searchEventIds(neighborhood.b, 'dog', { device_macs_to_include: ['door_a'] })).toEqual([])
    expect(await searchEventIds(neighborhood.b, 'dog')).toEqual([])
    expect(await searchEventIds(neighborhood.a, 'dog', { device_macs_to_include: ['nobody'] })).toEqual([])
  })

  test('disappears with a deletion and returns when the deletion is undone', async () => {
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['fox'] })
    expect(await searchEventIds(neighborhood.a, 'fox')).toEqual([])
    await neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['fox'] })
    expect(await searchEventIds(neighborhood.a, 'fox')).toEqual(['fox'])
  })

  test('is never older than the retention period of the plan, even before it is deleted', async () => {
    const ancient = { ...PERSON, text: 'A lamplighter lights the lamp.', event_ts: now - 31 * DAY_MS }
    const old = { ...PERSON, text: 'A lamplighter puts out the lamp.', event_ts: now - 29 * DAY_MS }
    await postDescribedEvent(neighborhood.a, 'door_a', 'ancient', ancient)
    await postDescribedEvent(neighborhood.a, 'door_a', 'old', old)
    const answer = await runSearch(neighborhood.a, 'lamplighter', { start_ts: now - 40 * DAY_MS })
    expect(getMatches(answer).map(({ event }) => event.event_id)).toEqual(['old'])
    expect(answer.body.data.coverage.clips).toBe(6)
  })

  test('includes an event whose description comes with its clip', async () => {
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'later', Buffer.from('film'))
    const change = { event_ts: now - 2 * DAY_MS, title: 'Motion', tags: ['4'], event_values: [] }
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'later', { ...change, clip_state: 'uploading' }))
    expect(await searchEventIds(neighborhood.a, 'unicycle')).toEqual([])
    const moments = [{ at_s: 1, text: 'A clown on a unicycle.' }]
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'later', { ...change, clip_object, moments }))
    expect(await searchEventIds(neighborhood.a, 'unicycle')).toEqual(['later'])
  })

  test('has no description on the feed or in the lists', async () => {
    const feed = await openSocket((await neighborhood.call(neighborhood.a, feedTicket)).body.data.url, {
      origin: neighborhood.stage.env.PORTAL_ORIGIN,
    })
    const glazier = { ...PERSON, text: 'A glazier mends the window.', event_ts: now - 1000 }
    await postDescribedEvent(neighborhood.a, 'door_a', 'told', glazier)
    const { event } = await feed.receive((message) => message.type === 'event')
    const lists = { count: 10_000, device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2 }
    const { body } = await neighborhood.call(neighborhood.a, eventHistory, {
      ...lists,
      begin_time: now - 5000,
      end_time: now,
    })
    expect(JSON.stringify([event, body])).toContain('told')
    expect(JSON.stringify([event, body])).not.toMatch(/glazier|moments/)
    await feed.close()
  })
})

describe('a query', () => {
  test('interprets times in its time zone', async () => {
    const noon = now - (now % DAY_MS) - 2 * DAY_MS + DAY_MS / 2 + 20 * 60_000
    const badger = { title: 'Animal', text: 'A badger digs.', tags: ['4', '103'], event_ts: noon }
    await postDescribedEvent(neighborhood.a, 'yard_a', 'badger', badger)
    const searchBetween = async (hours: string, zone: string) =>
      searchEventIds(neighborhood.a, `badger between ${hours}`, { zone })
    expect(await searchBetween('21:00 and 22:00', 'Asia/Tokyo')).toEqual(['badger'])
    expect(await searchBetween('21:00 and 22:00', 'America/New_York')).toEqual([])
    expect(await searchBetween('7:00 and 9:00', 'America/New_York')).toEqual(['badger'])
    expect((await runSearch(neighborhood.a, 'badger', { zone: 'no zone' })).status).toBe(400)
  })

  test('counts objects seen at the same time, by the detections in the frame', async () => {
    const buildBox = (at: number): [number, number, number, number, number] => [at, 1, 1, 9, 9]
    const buildPersonTrack = (from: number, to: number) => ({ kind: 'person', boxes: [from, to].map(buildBox) })
    const postEvent = (id: string, found: ReturnType<typeof buildPersonTrack>[]) =>
      neighborhood.a.bridge.postEvent(
        createBridgeEvent('yard_a', id, { event_ts: now - 3 * DAY_MS, title: 'Person', tags: ['101'], found }),
      )
    await postEvent('together', [buildPersonTrack(0, 500), buildPersonTrack(200, 400)])
    await postEvent('apart', [buildPersonTrack(0, 100), buildPersonTrack(200, 400)])
    expect(await searchEventIds(neighborhood.a, 'two people')).toEqual(['together'])
    expect(
      (await searchEventIds(neighborhood.a, 'somebody', { start_ts: now - 4 * DAY_MS, end_ts: now - 3 * DAY_MS }))
        .length,
    ).toBe(2)
  })
})
