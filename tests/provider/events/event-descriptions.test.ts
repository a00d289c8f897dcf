import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { type PostMomentsRequest } from '../../../contract/bridge/event-descriptions.ts'
import { getEvent } from '../../../contract/events/event-calls.ts'
import type { Event } from '../../../contract/events/events.ts'
import { feedTicket, reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { listCollectionPeople } from '../../../contract/events/faces.ts'
import { onboardingRegister, search, searchFeedback, type SearchMatch } from '../../../contract/search/search-calls.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import { type CallResponse, createBridgeEvent, openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const now = Date.now()
/** Time of most clips: one and a half days ago. */
const CLIP_TIME = now - 1.5 * DAY_MS

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { nickname: 'Front door' })
  await neighborhood.a.bridge.register('yard_a', { nickname: 'Backyard', device_order: 2 })
  await neighborhood.b.bridge.register('door_b')
  for (const household of [neighborhood.a, neighborhood.b]) await neighborhood.call(household, onboardingRegister)
})
afterAll(() => neighborhood.close())

const postPlainEvent = (device: string, id: string, event_ts = CLIP_TIME) =>
  neighborhood.a.bridge.postEvent(
    createBridgeEvent(device, id, { event_ts, title: 'Motion', tags: ['4'], event_values: [] }),
  )
const buildDescription = (
  sentence: string,
  at: number,
  change: Partial<PostMomentsRequest> = {},
): Omit<PostMomentsRequest, 'event_id'> => ({
  device_id: 'door_a',
  moments: [{ at_s: 3, text: sentence }],
  tags: ['4', '101'],
  values: ['person'],
  by: { kind: 'model', model: 'watcher 1', at },
  ...change,
})
const postMoments = (event_id: string, payload: object, bridge = neighborhood.a.bridge) =>
  bridge.send('POST', BRIDGE_PATHS.moments, { event_id, ...payload })

const runSearch = (query: string, more: object = {}): Promise<CallResponse> =>
  neighborhood.call(neighborhood.a, search, {
    device_macs_to_include: [],
    event_tags_to_include: [],
    start_ts: now - 29 * DAY_MS,
    end_ts: Date.now(),
    limit: 50,
    query,
    ...more,
  })
const listMatches = async (query: string, more: object = {}) =>
  (await runSearch(query, more)).body.data.events as SearchMatch[]
const findEventIds = async (query: string, more: object = {}) =>
  (await listMatches(query, more)).map(({ event }) => event.event_id).toSorted()
const readEvent = async (event_id: string): Promise<Event> =>
  (await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id })).body.data
const openFeed = async () =>
  openSocket((await neighborhood.call(neighborhood.a, feedTicket)).body.data.url, {
    origin: neighborhood.stage.env.PORTAL_ORIGIN,
  })

describe('a description that arrives after its clip', () => {
  test('makes the clip searchable by words, with moment and match explanation, and by tags, values and title', async () => {
    await postPlainEvent('door_a', 'late')
    expect(await findEventIds('chimney sweep')).toEqual([])
    const description = buildDescription('A chimney sweep rings twice.', now - 1000, {
      values: ['Rosalind'],
      title: 'Sweep at the door',
    })
    expect((await postMoments('late', description)).status).toBe(200)
    const [match] = await listMatches('chimney sweep')
    expect(match).toMatchObject({ at_s: 3, event: { event_id: 'late', title: 'Sweep at the door' } })
    expect(match?.why.map(({ text }) => text).join('')).toBe('A chimney sweep rings twice.')
    expect([await findEventIds('Rosalind'), await findEventIds('sweep', { event_tags_to_include: ['101'] })]).toEqual([
      ['late'],
      ['late'],
    ])
    expect(await readEvent('late')).toMatchObject({ tags: ['4', '101'], event_values: ['Rosalind'] })
  })

  test('changes nothing when it is sent twice', async () => {
    const description = buildDescription('A chimney sweep rings twice.', now - 1000, { title: 'Somebody else' })
    expect((await postMoments('late', description)).status).toBe(200)
    expect([(await readEvent('late')).title, await findEventIds('sweep')]).toEqual(['Sweep at the door', ['late']])
  })

  test('is ignored when it is older than the stored one, and replaces it when it is newer', async () => {
    expect((await postMoments('late', buildDescription('A juggler passes.', now - 2000))).status).toBe(200)
    expect([await findEventIds('juggler'), await findEventIds('chimney sweep')]).toEqual([[], ['late']])
    const newer = buildDescription('A lamplighter passes.', now, { tags: ['4', '103'], values: ['Wilhelmina'] })
    expect((await postMoments('late', newer)).status).toBe(200)
    expect([
      await findEventIds('lamplighter'),
      await findEventIds('chimney sweep'),
      await findEventIds('Rosalind'),
    ]).toEqual([['late'], [], []])
    expect(await findEventIds('lamplighter', { event_tags_to_include: ['101'] })).toEqual([])
    // The description has no title, so the event keeps the title from its bridge.
    expect(await readEvent('late')).toMatchObject({ title: 'Motion', tags: ['4', '103'], event_values: ['Wilhelmina'] })
  })

  test('adds the people that it names, and removes those that it no longer names', async () => {
    const listNames = async () => {
      const { body } = await neighborhood.call(
        neighborhood.a,
        listCollectionPeople,
        {},
        { collection_id: neighborhood.a.homeId },
      )
      return body.data.people.map(({ name }: { name: string }) => name)
    }
    expect(await listNames()).toContain('Wilhelmina')
    expect(await listNames()).not.toContain('Rosalind')
  })

  test('is accepted weeks after the clip, as long as the event is retained', async () => {
    await postPlainEvent('door_a', 'weeks', now - 27 * DAY_MS)
    expect((await postMoments('weeks', buildDescription('A brass band plays.', now))).status).toBe(200)
    expect(await findEventIds('brass band')).toEqual(['weeks'])
  })

  test('counts as a description even if it has no moments', async () => {
    await postPlainEvent('door_a', 'nothing')
    await postMoments('nothing', buildDescription('A mole digs.', now - 5000))
    await postMoments('nothing', buildDescription('', now, { moments: [] }))
    expect(await findEventIds('mole')).toEqual([])
    const filter = { start_ts: CLIP_TIME, end_ts: CLIP_TIME, device_macs_to_include: ['door_a'] }
    const { coverage } = (await runSearch('mole', filter)).body.data
    expect(coverage).toMatchObject({ clips: 2, searched: 2, waiting: 0, undescribed: 0 })
  })

  test('is not replaced by earlier moments that arrive with the clip', async () => {
    const change = { event_ts: CLIP_TIME, title: 'Motion', tags: ['4'], event_values: [] }
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'coming', { ...change, clip_state: 'uploading' }))
    await postMoments('coming', buildDescription('A stilt walker.', now))
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'coming', Buffer.from('film'))
    const moments = [{ at_s: 1, text: 'A unicycle.' }]
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'coming', { ...change, clip_object, moments }))
    expect([await findEventIds('stilt walker'), await findEventIds('unicycle')]).toEqual([['coming'], []])
    expect(await readEvent('coming')).not.toHaveProperty('clip_state')
  })

  test.each([
    ['Hindi', 'एक डाकिया दरवाज़े पर पार्सल छोड़ता है।', 'डाकिया'],
    ['Chinese', '一位快递员把包裹放在门口。', '包裹'],
    ['Russian', 'Рыжий котёнок спит у чайника.', 'чайника'],
    ['Greek', 'Ένας ταχυδρόμος αφήνει ένα δέμα.', 'ταχυδρόμος'],
    ['Arabic', 'ساعي البريد يترك طردا عند الباب', 'البريد'],
  ])('is found by words in %s', async (script, sentence, query) => {
    const id = `in_${script}`
    await postPlainEvent('yard_a', id)
    expect((await postMoments(id, buildDescription(sentence, now, { device_id: 'yard_a' }))).status).toBe(200)
    expect(await findEventIds(query)).toEqual([id])
  })
})

describe('actions by the people of the home', () => {
  test('survive a new description: reviewed stays reviewed, and feedback on results still counts', async () => {
    const sentences = { event_ts: CLIP_TIME, moments: [{ at_s: 0, text: 'A hang glider lands.' }] }
    for (const id of ['first', 'second'])
      await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', id, sentences))
    await neighborhood.call(neighborhood.a, reviewEvents, { event_ids: ['second'], reviewed: true })
    const listOrder = async () => (await listMatches('hang glider')).map(({ event }) => event.event_id)
    const [best = '', other = ''] = await listOrder()
    const wrong = { is_search_result_accurate: false, feedback_message: '', feedback_category_id: 'other' }
    // Give the second event words that the query does not match, so that the vote below affects only the first event.
    await postMoments(other, buildDescription('Nobody.', now - 1000, { device_id: 'yard_a' }))
    expect(await listOrder()).toEqual([best])
    await neighborhood.call(neighborhood.a, searchFeedback, { ...wrong, query: 'hang glider' })
    await postMoments(other, buildDescription('A hang glider lands.', now, { device_id: 'yard_a' }))
    await postMoments(best, buildDescription('A hang glider lands.', now, { device_id: 'yard_a' }))
    expect(await listOrder()).toEqual([other, best])
    const second = (await neighborhood.call(neighborhood.a, getEvent, { device_id: 'yard_a', event_id: 'second' })).body
      .data
    expect(second.reviewed).toBe(true)
  })

  test('survive a new description: a deleted event stays deleted, and has the new words once it is restored', async () => {
    await postPlainEvent('door_a', 'deleted')
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['deleted'] })
    expect((await postMoments('deleted', buildDescription('A town crier.', now))).status).toBe(200)
    expect(await findEventIds('town crier')).toEqual([])
    await neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['deleted'] })
    expect(await findEventIds('town crier')).toEqual(['deleted'])
  })
})

test('a purged event stores no description; one hidden by the plan has it once shown again', async () => {
  const home = await neighborhood.stage.provider
    .getWorker()
    .getDurableObjectStorage('HOMES', { name: neighborhood.a.homeId })
  await postPlainEvent('door_a', 'purged')
  await home.exec("UPDATE events SET gone = 'purged', gone_at = 1 WHERE event_id = 'purged'")
  expect((await postMoments('purged', buildDescription('A secret meeting.', now))).status).toBe(200)
  const stored = await home.exec("SELECT moments, title, described_by FROM events WHERE event_id = 'purged'")
  expect(stored).toEqual([{ moments: null, title: 'Motion', described_by: null }])

  await postPlainEvent('door_a', 'hidden', now - 35 * DAY_MS)
  expect((await postMoments('hidden', buildDescription('A rag and bone man.', now))).status).toBe(200)
  const longer = { start_ts: now - 40 * DAY_MS }
  expect(await findEventIds('rag and bone man', longer)).toEqual([])
  const storedRows = await home.exec("SELECT described_at, described_by FROM events WHERE event_id = 'hidden'")
  expect(storedRows).toEqual([{ described_at: now, described_by: '{"kind":"model","model":"watcher 1"}' }])
})

describe('an open page', () => {
  test('is notified of a description without its sentences, and not if nothing changes', async () => {
    await postPlainEvent('door_a', 'told', now - 1000)
    const socket = await openFeed()
    await postMoments('told', buildDescription('A glazier mends the window.', now, { title: 'Glazier' }))
    const { event } = await socket.receive((message) => message.type === 'event')
    expect(event).toEqual({
      event_id: 'told',
      device_id: 'door_a',
      event_ts: now - 1000,
      title: 'Glazier',
      reviewed: false,
      tags: ['4', '101'],
      event_values: ['person'],
      event_resources: [],
    })
    await postMoments('told', buildDescription('A plumber.', now - 10))
    await postMoments('told', buildDescription('A plumber.', now + 10, { title: 'Plumber' }))
    expect((await socket.receive((message) => message.type === 'event')).event.title).toBe('Plumber')
    await socket.close()
  })

  test('with a plan for free kinds only is notified of a removal when the event changes kind', async () => {
    await neighborhood.bindings.DB.prepare("UPDATE subscriptions SET status = 'cancelled', renews_at = 0").run()
    await postPlainEvent('door_a', 'free', now - 1000)
    const socket = await openFeed()
    await postMoments('free', buildDescription('A face.', now, { tags: ['12'] }))
    expect(await socket.receive(({ type }) => type === 'removed')).toEqual({ type: 'removed', event_ids: ['free'] })
    await neighborhood.bindings.DB.prepare("UPDATE subscriptions SET status = 'active'").run()
    await socket.close()
    expect(await readEvent('free')).toMatchObject({ tags: ['12'] })
  })
})

test('only clips of the last day, from a camera with descriptions, count as waiting for one', async () => {
  await neighborhood.a.bridge.register('gate_a', { device_order: 3 })
  const hoursAgo = (n: number) => Date.now() - n * 3_600_000
  for (const [id, ago] of [
    ['g1', 1],
    ['g2', 2],
    ['g3', 3],
    ['g40', 40],
  ] as const)
    await postPlainEvent('gate_a', id, hoursAgo(ago))
  const gate = { device_macs_to_include: ['gate_a'] }
  const coverage = async () => (await runSearch('peacock', gate)).body.data.coverage
  expect(await coverage()).toMatchObject({ clips: 4, searched: 0, waiting: 0, undescribed: 4 })
  await postMoments('g3', buildDescription('A peacock.', Date.now(), { device_id: 'gate_a' }))
  expect(await coverage()).toMatchObject({ clips: 4, searched: 1, waiting: 2, undescribed: 1 })
  await postMoments('g1', buildDescription('A hen.', Date.now(), { device_id: 'gate_a' }))
  await postMoments('g40', buildDescription('A hen.', Date.now(), { device_id: 'gate_a' }))
  expect(await coverage()).toMatchObject({ clips: 4, searched: 3, waiting: 1, undescribed: 0 })
})
