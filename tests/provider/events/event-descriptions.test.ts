import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { describer, type PostMoments } from '../../../contract/bridge/event-descriptions.ts'
import { getEvent } from '../../../contract/events/event-calls.ts'
import type { Event } from '../../../contract/events/events.ts'
import { feedTicket, reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { people } from '../../../contract/events/faces.ts'
import { onboardingRegister, search, searchFeedback, type SearchMatch } from '../../../contract/search/search-calls.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import { type Answer, makeEvent, openNeighborhood, TestBridge, type Neighborhood } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const now = Date.now()
/** Time of most clips: one and a half days ago. */
const T = now - 1.5 * DAY_MS

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a', { nickname: 'Front door' })
  await town.a.bridge.register('yard_a', { nickname: 'Backyard', device_order: 2 })
  await town.b.bridge.register('door_b')
  for (const as of [town.a, town.b]) await town.call(as, onboardingRegister)
})
afterAll(() => town.close())

const plain = (device: string, id: string, event_ts = T) =>
  town.a.bridge.post(makeEvent(device, id, { event_ts, title: 'Motion', tags: ['4'], event_values: [] }))
const words = (sentence: string, at: number, change: Partial<PostMoments> = {}): Omit<PostMoments, 'event_id'> => ({
  device_id: 'door_a',
  moments: [{ at_s: 3, text: sentence }],
  tags: ['4', '101'],
  values: ['person'],
  by: { kind: 'model', model: 'watcher 1', at },
  ...change,
})
const postMoments = (event_id: string, payload: object, bridge = town.a.bridge) =>
  bridge.send('POST', BRIDGE_PATHS.moments, { event_id, ...payload })

const runSearch = (query: string, more: object = {}): Promise<Answer> =>
  town.call(town.a, search, {
    ...{ device_macs_to_include: [], event_tags_to_include: [], start_ts: now - 29 * DAY_MS, end_ts: Date.now() },
    ...{ limit: 50, query, ...more },
  })
const matches = async (query: string, more: object = {}) =>
  (await runSearch(query, more)).body.data.events as SearchMatch[]
const found = async (query: string, more: object = {}) =>
  (await matches(query, more)).map(({ event }) => event.event_id).toSorted()
const read = async (event_id: string): Promise<Event> =>
  (await town.call(town.a, getEvent, { device_id: 'door_a', event_id })).body.data
const feed = async () =>
  openSocket((await town.call(town.a, feedTicket)).body.data.url, { origin: town.stage.env.PORTAL_ORIGIN })

describe('a description that arrives after its clip', () => {
  test('makes the clip searchable by words, with moment and match explanation, and by tags, values and title', async () => {
    await plain('door_a', 'late')
    expect(await found('chimney sweep')).toEqual([])
    const description = words('A chimney sweep rings twice.', now - 1000, {
      values: ['Rosalind'],
      title: 'Sweep at the door',
    })
    expect((await postMoments('late', description)).status).toBe(200)
    const [match] = await matches('chimney sweep')
    expect(match).toMatchObject({ at_s: 3, event: { event_id: 'late', title: 'Sweep at the door' } })
    expect(match?.why.map(({ text }) => text).join('')).toBe('A chimney sweep rings twice.')
    expect([await found('Rosalind'), await found('sweep', { event_tags_to_include: ['101'] })]).toEqual([
      ['late'],
      ['late'],
    ])
    expect(await read('late')).toMatchObject({ tags: ['4', '101'], event_values: ['Rosalind'] })
  })

  test('changes nothing when it is sent twice', async () => {
    const description = words('A chimney sweep rings twice.', now - 1000, { title: 'Somebody else' })
    expect((await postMoments('late', description)).status).toBe(200)
    expect([(await read('late')).title, await found('sweep')]).toEqual(['Sweep at the door', ['late']])
  })

  test('is ignored when it is older than the stored one, and replaces it when it is newer', async () => {
    expect((await postMoments('late', words('A juggler passes.', now - 2000))).status).toBe(200)
    expect([await found('juggler'), await found('chimney sweep')]).toEqual([[], ['late']])
    const newer = words('A lamplighter passes.', now, { tags: ['4', '103'], values: ['Wilhelmina'] })
    expect((await postMoments('late', newer)).status).toBe(200)
    expect([await found('lamplighter'), await found('chimney sweep'), await found('Rosalind')]).toEqual([
      ['late'],
      [],
      [],
    ])
    expect(await found('lamplighter', { event_tags_to_include: ['101'] })).toEqual([])
    // The description has no title, so the event keeps the title from its bridge.
    expect(await read('late')).toMatchObject({ title: 'Motion', tags: ['4', '103'], event_values: ['Wilhelmina'] })
  })

  test('adds the people that it names, and removes those that it no longer names', async () => {
    const listNames = async () => {
      const { body } = await town.call(town.a, people, {}, { collection_id: town.a.homeId })
      return body.data.people.map(({ name }: { name: string }) => name)
    }
    expect(await listNames()).toContain('Wilhelmina')
    expect(await listNames()).not.toContain('Rosalind')
  })

  test('is accepted weeks after the clip, as long as the event is retained', async () => {
    await plain('door_a', 'weeks', now - 27 * DAY_MS)
    expect((await postMoments('weeks', words('A brass band plays.', now))).status).toBe(200)
    expect(await found('brass band')).toEqual(['weeks'])
  })

  test('counts as a description even if it has no moments', async () => {
    await plain('door_a', 'nothing')
    await postMoments('nothing', words('A mole digs.', now - 5000))
    await postMoments('nothing', words('', now, { moments: [] }))
    expect(await found('mole')).toEqual([])
    const filter = { start_ts: T, end_ts: T, device_macs_to_include: ['door_a'] }
    const { coverage } = (await runSearch('mole', filter)).body.data
    expect(coverage).toMatchObject({ clips: 2, searched: 2, waiting: 0, undescribed: 0 })
  })

  test('is not replaced by earlier moments that arrive with the clip', async () => {
    const change = { event_ts: T, title: 'Motion', tags: ['4'], event_values: [] }
    await town.a.bridge.post(makeEvent('door_a', 'coming', { ...change, clip_state: 'uploading' }))
    await postMoments('coming', words('A stilt walker.', now))
    const clip_object = await town.a.bridge.upload('door_a', 'clip', 'coming', Buffer.from('film'))
    const moments = [{ at_s: 1, text: 'A unicycle.' }]
    await town.a.bridge.post(makeEvent('door_a', 'coming', { ...change, clip_object, moments }))
    expect([await found('stilt walker'), await found('unicycle')]).toEqual([['coming'], []])
    expect(await read('coming')).not.toHaveProperty('clip_state')
  })

  test.each([
    ['Hindi', 'एक डाकिया दरवाज़े पर पार्सल छोड़ता है।', 'डाकिया'],
    ['Chinese', '一位快递员把包裹放在门口。', '包裹'],
    ['Russian', 'Рыжий котёнок спит у чайника.', 'чайника'],
    ['Greek', 'Ένας ταχυδρόμος αφήνει ένα δέμα.', 'ταχυδρόμος'],
    ['Arabic', 'ساعي البريد يترك طردا عند الباب', 'البريد'],
  ])('is found by words in %s', async (script, sentence, query) => {
    const id = `in_${script}`
    await plain('yard_a', id)
    expect((await postMoments(id, words(sentence, now, { device_id: 'yard_a' }))).status).toBe(200)
    expect(await found(query)).toEqual([id])
  })
})

describe('actions by the people of the home', () => {
  test('survive a new description: reviewed stays reviewed, and feedback on results still counts', async () => {
    const sentences = { event_ts: T, moments: [{ at_s: 0, text: 'A hang glider lands.' }] }
    for (const id of ['first', 'second']) await town.a.bridge.post(makeEvent('yard_a', id, sentences))
    await town.call(town.a, reviewEvents, { event_ids: ['second'], reviewed: true })
    const order = async () => (await matches('hang glider')).map(({ event }) => event.event_id)
    const [best = '', other = ''] = await order()
    const wrong = { is_search_result_accurate: false, feedback_message: '', feedback_category_id: 'other' }
    // Give the second event words that the query does not match, so that the vote below affects only the first event.
    await postMoments(other, words('Nobody.', now - 1000, { device_id: 'yard_a' }))
    expect(await order()).toEqual([best])
    await town.call(town.a, searchFeedback, { ...wrong, query: 'hang glider' })
    await postMoments(other, words('A hang glider lands.', now, { device_id: 'yard_a' }))
    await postMoments(best, words('A hang glider lands.', now, { device_id: 'yard_a' }))
    expect(await order()).toEqual([other, best])
    const second = (await town.call(town.a, getEvent, { device_id: 'yard_a', event_id: 'second' })).body.data
    expect(second.reviewed).toBe(true)
  })

  test('survive a new description: a deleted event stays deleted, and has the new words once it is restored', async () => {
    await plain('door_a', 'deleted')
    await town.call(town.a, deleteEvents, { event_ids: ['deleted'] })
    expect((await postMoments('deleted', words('A town crier.', now))).status).toBe(200)
    expect(await found('town crier')).toEqual([])
    await town.call(town.a, restoreEvents, { event_ids: ['deleted'] })
    expect(await found('town crier')).toEqual(['deleted'])
  })
})

test('a purged event stores no description; one hidden by the plan has it once shown again', async () => {
  const home = await town.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: town.a.homeId })
  await plain('door_a', 'purged')
  await home.exec("UPDATE events SET gone = 'purged', gone_at = 1 WHERE event_id = 'purged'")
  expect((await postMoments('purged', words('A secret meeting.', now))).status).toBe(200)
  const stored = await home.exec("SELECT moments, title, described_by FROM events WHERE event_id = 'purged'")
  expect(stored).toEqual([{ moments: null, title: 'Motion', described_by: null }])

  await plain('door_a', 'hidden', now - 35 * DAY_MS)
  expect((await postMoments('hidden', words('A rag and bone man.', now))).status).toBe(200)
  const longer = { start_ts: now - 40 * DAY_MS }
  expect(await found('rag and bone man', longer)).toEqual([])
  const storedRows = await home.exec("SELECT described_at, described_by FROM events WHERE event_id = 'hidden'")
  expect(storedRows).toEqual([{ described_at: now, described_by: '{"kind":"model","model":"watcher 1"}' }])
})

describe('an open page', () => {
  test('is notified of a description without its sentences, and not if nothing changes', async () => {
    await plain('door_a', 'told', now - 1000)
    const socket = await feed()
    await postMoments('told', words('A glazier mends the window.', now, { title: 'Glazier' }))
    const { event } = await socket.receive((message) => message.type === 'event')
    expect(event).toEqual({
      ...{ event_id: 'told', device_id: 'door_a', event_ts: now - 1000, title: 'Glazier', reviewed: false },
      ...{ tags: ['4', '101'], event_values: ['person'], event_resources: [] },
    })
    await postMoments('told', words('A plumber.', now - 10))
    await postMoments('told', words('A plumber.', now + 10, { title: 'Plumber' }))
    expect((await socket.receive((message) => message.type === 'event')).event.title).toBe('Plumber')
    await socket.close()
  })

  test('with a plan for free kinds only is notified of a removal when the event changes kind', async () => {
    await town.bindings.DB.prepare("UPDATE subscriptions SET status = 'cancelled', renews_at = 0").run()
    await plain('door_a', 'free', now - 1000)
    const socket = await feed()
    await postMoments('free', words('A face.', now, { tags: ['12'] }))
    expect(await socket.receive(({ type }) => type === 'removed')).toEqual({ type: 'removed', event_ids: ['free'] })
    await town.bindings.DB.prepare("UPDATE subscriptions SET status = 'active'").run()
    await socket.close()
    expect(await read('free')).toMatchObject({ tags: ['12'] })
  })
})

test('only clips of the last day, from a camera with descriptions, count as waiting for one', async () => {
  await town.a.bridge.register('gate_a', { device_order: 3 })
  const hours = (n: number) => Date.now() - n * 3_600_000
  for (const [id, ago] of [
    ['g1', 1],
    ['g2', 2],
    ['g3', 3],
    ['g40', 40],
  ] as const)
    await plain('gate_a', id, hours(ago))
  const gate = { device_macs_to_include: ['gate_a'] }
  const coverage = async () => (await runSearch('peacock', gate)).body.data.coverage
  expect(await coverage()).toMatchObject({ clips: 4, searched: 0, waiting: 0, undescribed: 4 })
  await postMoments('g3', words('A peacock.', Date.now(), { device_id: 'gate_a' }))
  expect(await coverage()).toMatchObject({ clips: 4, searched: 1, waiting: 2, undescribed: 1 })
  await postMoments('g1', words('A hen.', Date.now(), { device_id: 'gate_a' }))
  await postMoments('g40', words('A hen.', Date.now(), { device_id: 'gate_a' }))
  expect(await coverage()).toMatchObject({ clips: 4, searched: 3, waiting: 1, undescribed: 0 })
})

describe('description validation', () => {
  const status = async (id: string, change: object, bridge = town.a.bridge) =>
    (await postMoments(id, { ...words('A fox.', now), ...change }, bridge)).status

  test('rejects an unknown event and an event of another camera', async () => {
    await plain('door_a', 'mine')
    expect(await status('unknown', {})).toBe(404)
    expect(await status('mine', { device_id: 'yard_a' })).toBe(404)
    expect(await status('mine', { device_id: 'nowhere' })).toBe(404)
  })

  test('rejects another bridge and a bridge with a wrong key', async () => {
    expect(await status('mine', {}, town.b.bridge)).toBe(404)
    expect(await status('mine', {}, new TestBridge(town.a.bridge.origin, town.a.bridge.id))).toBe(401)
    expect(await read('mine')).toMatchObject({ title: 'Motion', tags: ['4'] })
  })

  test('rejects a malformed or oversized description, and one with an impossible time', async () => {
    const sentence = { at_s: 0, text: 'A fox.' }
    const by = { kind: 'model', model: 'watcher', at: now }
    const wrong: object[] = [
      { moments: Array.from({ length: 21 }, () => sentence) },
      { moments: [{ at_s: -1, text: 'A fox.' }] },
      { moments: [{ at_s: 0, text: 'x'.repeat(301) }] },
      { moments: 'A fox.' },
      { moments: undefined },
      { tags: undefined },
      { values: ['x'.repeat(81)] },
      { tags: Array.from({ length: 51 }, () => '4') },
      { title: 'x'.repeat(121) },
      { by: undefined },
      { by: { ...by, kind: 'oracle' } },
      { by: { ...by, model: ' ' } },
      { by: { ...by, at: 'now' } },
    ]
    for (const change of wrong) expect([change, await status('mine', change)]).toEqual([change, 400])
    expect(await status('mine', { by: { ...by, at: Date.now() + 3_600_000 } })).toBe(422)
    expect(await status('mine', { by: { ...by, at: 1 } })).toBe(422)
    expect(await status('mine', { pad: 'x'.repeat(300_000) })).toBe(413)
    expect(await read('mine')).toMatchObject({ title: 'Motion', tags: ['4'] })
  })

  test('accepts every kind of describer', async () => {
    for (const [n, kind] of describer.entries.kind.options.entries())
      expect(await status('mine', { by: { kind, model: 'any', at: now + n } })).toBe(200)
  })
})
