import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import * as calls from '../../../contract/search/search-calls.ts'
import { addAccount, makeEvent, openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const now = Date.now()

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a', { nickname: 'Front door' })
  const seen: [string, string, string, string[]][] = [
    ['m1', 'Maya', 'Maya comes home, at night.', ['person', 'Maya']],
    ['m2', 'Maya', 'Maya waters the roses, by day.', ['person', 'Maya']],
    ['d1', 'Dog barking', 'The dog barks at a cat, by day.', ['pet', 'Barking']],
    ['d2', 'Dog barking', 'The dog barks at a hedgehog, by day.', ['pet', 'Barking']],
    ['p1', 'Person', 'Somebody rings and leaves, at night.', ['person']],
  ]
  for (const [n, [id, title, text, event_values]] of seen.entries())
    await town.a.bridge.post(
      makeEvent('door_a', id, { event_ts: now - DAY_MS + n, title, event_values, moments: [{ at_s: 3, text }] }),
    )
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
  for (const as of [town.a, town.b]) await town.call(as, calls.onboardingRegister)
})
afterAll(() => town.close())

type As = Pick<Household, 'userId' | 'token'>
const range = {
  device_macs_to_include: [],
  event_tags_to_include: [],
  start_ts: now - 20 * DAY_MS,
  end_ts: now,
  limit: 50,
}
const search = async (query: string, as: As = town.a) =>
  (await town.call(as, calls.search, { ...range, query })).body.data as {
    query_id: string
    events: calls.SearchMatch[]
  }
const order = async (query: string, as: As = town.a) =>
  (await search(query, as)).events.map(({ event }) => event.event_id)
const history = async (as: As = town.a) =>
  (await town.call(as, calls.searchHistory)).body.data.history as calls.HistoryEntry[]
const queries = async () => (await history()).map(({ query }) => query)

describe('search history', () => {
  test('CALL-47 belongs to the account, latest first; a repeated query renews its entry', async () => {
    const first = await search('dog')
    await search('Maya')
    const again = await search('  DOG ')
    expect(again.query_id).toBe(first.query_id)
    expect((await history()).map(({ query, found }) => [query, found])).toEqual([
      ['DOG', 2],
      ['Maya', 2],
    ])
    expect(await history(town.b)).toEqual([])
  })

  test('CALL-49 deletes one entry; a missing entry, or one of another account, returns 404', async () => {
    const { query_id } = await search('hedgehog')
    const drop = async (as: Household) => (await town.call(as, calls.deleteSearchHistoryEntry, {}, { query_id })).status
    expect(await drop(town.b)).toBe(404)
    expect(await drop(town.a)).toBe(200)
    expect(await drop(town.a)).toBe(404)
    expect(await queries()).toEqual(['DOG', 'Maya'])
  })

  test('CALL-48 deletes several entries, or all', async () => {
    const ids = [(await search('roses')).query_id, (await search('cat')).query_id, 'nothing']
    const drop = async (input: object) => (await town.call(town.a, calls.deleteSearchHistory, { ...input })).body.data
    expect(await drop({ query_ids: ids, delete_all: false })).toEqual({ deleted: 2 })
    expect(await queries()).toEqual(['DOG', 'Maya'])
    expect(await drop({ query_ids: [], delete_all: false })).toEqual({ deleted: 0 })
    expect(await drop({ query_ids: [], delete_all: true })).toEqual({ deleted: 2 })
    expect(await queries()).toEqual([])
  })

  test('CALL-47 holds 50 searches and drops the oldest', async () => {
    for (let n = 0; n < 51; n++) await search(`number ${n}`)
    const storedQueries = await queries()
    expect([storedQueries.length, storedQueries[0], storedQueries.at(-1)]).toEqual([50, 'number 50', 'number 1'])
  })
})

describe('search enrollment', () => {
  test('CALL-51 CALL-52 is active once an account has registered; registering again changes nothing', async () => {
    const status = async (as: As) => (await town.call(as, calls.onboardingStatus)).body.data
    expect(await status(town.b)).toEqual({ status: 1, available: true })
    expect((await town.call(town.b, calls.onboardingRegister)).body.data).toEqual({ status: 1, available: true })
    const other = await addAccount(town.bindings, 'other')
    expect(await status(other)).toEqual({ status: 2, available: false })
  })
})

describe('the hints that an account has seen', () => {
  test('CALL-53 CALL-54 OPEN-74 add up, and a state sent with the read request is ignored', async () => {
    const read = async (input = {}) => (await town.call(town.b, calls.getInstructionState, input)).body.data.state
    const add = async (state: number) => (await town.call(town.b, calls.setInstructionState, { state })).body.data.state
    expect(await read()).toBe(0)
    expect(await add(2)).toBe(2)
    expect(await read({ state: 3 })).toBe(2)
    expect([await add(1), await read()]).toEqual([3, 3])
    expect((await town.call(town.b, calls.setInstructionState, { state: 4 })).status).toBe(400)
  })
})

describe('search suggestions', () => {
  test('CALL-50 come from what the cameras have seen, and each finds something', async () => {
    const fetchRecommendations = () => town.call(town.a, calls.recommendation, { version: 'v1' })
    const { recommendations } = (await fetchRecommendations()).body.data
    expect(recommendations).toEqual([
      { query: 'Maya', found: 2 },
      { query: 'Somebody at night', found: 2 },
      { query: 'Dog barking', found: 2 },
    ])
    expect((await fetchRecommendations()).body.data).toEqual({ recommendations })
    for (const { query } of recommendations) expect(await order(query)).not.toEqual([])
  })
})

describe('search feedback', () => {
  const sendFeedback = (query: string, accurate: boolean, category = '', as: As = town.a) =>
    town.call(as, calls.searchFeedback, {
      ...{ query, is_search_result_accurate: accurate, feedback_message: '', feedback_category_id: category },
    })
  const undo = async (feedback_id: string, as: As = town.a) =>
    (await town.call(as, calls.undoSearchFeedback, { feedback_id })).status

  test('CALL-55 CALL-56 needs one of the categories, and a search that was made', async () => {
    const { categories } = (await town.call(town.a, calls.feedbackCategory)).body.data
    expect(categories.length).toBeGreaterThan(2)
    await search('cat')
    expect((await sendFeedback('cat', false, categories[0].id)).status).toBe(200)
    expect((await sendFeedback('cat', false, 'no-such-category')).status).toBe(400)
    expect((await sendFeedback('never asked', true)).status).toBe(404)
    expect((await sendFeedback('cat', true, '', town.b)).status).toBe(404)
  })

  test('CALL-56 ranks a wrong result lower for everyone, for the same words only, until it is undone', async () => {
    expect(await order('barks')).toEqual(['d2', 'd1'])
    /* Only the newer event was a result when it was judged: the time range excludes the other one. */
    const alone = { ...range, start_ts: now - DAY_MS + 3, query: 'barks' }
    await town.call(town.a, calls.search, alone)
    const { feedback_id } = (await sendFeedback('barks', false)).body.data
    expect(await order('barks')).toEqual(['d1', 'd2'])
    expect(await order('barks', town.b)).toEqual(['d1', 'd2'])
    expect(await order('the barks')).toEqual(['d1', 'd2'])
    expect(await order('barking')).toEqual(['d2', 'd1'])
    expect(await undo(feedback_id, town.b)).toBe(404)
    expect(await undo(feedback_id)).toBe(200)
    expect(await order('barks')).toEqual(['d2', 'd1'])
    expect(await undo(feedback_id)).toBe(404)
  })

  test('ranks a right result higher, and counts once per account', async () => {
    await town.call(town.a, calls.search, { ...range, end_ts: now - DAY_MS + 2, query: 'barks' })
    const first = (await sendFeedback('barks', true)).body.data.feedback_id
    expect(await order('barks')).toEqual(['d1', 'd2'])
    await town.call(town.a, calls.search, { ...range, start_ts: now - DAY_MS + 3, query: 'barks' })
    const second = (await sendFeedback('barks', true)).body.data.feedback_id
    expect(await order('barks')).toEqual(['d2', 'd1'])
    expect([await undo(first), await undo(second)]).toEqual([404, 200])
  })
})
