import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import * as calls from '../../../contract/search/search-calls.ts'
import {
  addAccount,
  createBridgeEvent,
  openNeighborhood,
  type Household,
  type Neighborhood,
} from '../../support/home.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const now = Date.now()

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { nickname: 'Front door' })
  const seedEvents: [string, string, string, string[]][] = [
    ['m1', 'Maya', 'Maya comes home, at night.', ['person', 'Maya']],
    ['m2', 'Maya', 'Maya waters the roses, by day.', ['person', 'Maya']],
    ['d1', 'Dog barking', 'The dog barks at a cat, by day.', ['pet', 'Barking']],
    ['d2', 'Dog barking', 'The dog barks at a hedgehog, by day.', ['pet', 'Barking']],
    ['p1', 'Person', 'Somebody rings and leaves, at night.', ['person']],
  ]
  for (const [n, [id, title, text, event_values]] of seedEvents.entries())
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', id, {
        event_ts: now - DAY_MS + n,
        title,
        event_values,
        moments: [{ at_s: 3, text }],
      }),
    )
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
  for (const account of [neighborhood.a, neighborhood.b]) await neighborhood.call(account, calls.onboardingRegister)
})
afterAll(() => neighborhood.close())

type SearchAccount = Pick<Household, 'userId' | 'token'>
const searchRange = {
  device_macs_to_include: [],
  event_tags_to_include: [],
  start_ts: now - 20 * DAY_MS,
  end_ts: now,
  limit: 50,
}
const search = async (query: string, account: SearchAccount = neighborhood.a) =>
  (await neighborhood.call(account, calls.search, { ...searchRange, query })).body.data as {
    query_id: string
    events: calls.SearchMatch[]
  }
const listResultIds = async (query: string, account: SearchAccount = neighborhood.a) =>
  (await search(query, account)).events.map(({ event }) => event.event_id)
const fetchHistory = async (account: SearchAccount = neighborhood.a) =>
  (await neighborhood.call(account, calls.searchHistory)).body.data.history as calls.HistoryEntry[]
const listHistoryQueries = async () => (await fetchHistory()).map(({ query }) => query)

describe('search history', () => {
  test('CALL-47 belongs to the account, latest first; a repeated query renews its entry', async () => {
    const first = await search('dog')
    await search('Maya')
    const again = await search('  DOG ')
    expect(again.query_id).toBe(first.query_id)
    expect((await fetchHistory()).map(({ query, found }) => [query, found])).toEqual([
      ['DOG', 2],
      ['Maya', 2],
    ])
    expect(await fetchHistory(neighborhood.b)).toEqual([])
  })

  test('CALL-49 deletes one entry; a missing entry, or one of another account, returns 404', async () => {
    const { query_id } = await search('hedgehog')
    const deleteFromHistory = async (account: Household) =>
      (await neighborhood.call(account, calls.deleteSearchHistoryEntry, {}, { query_id })).status
    expect(await deleteFromHistory(neighborhood.b)).toBe(404)
    expect(await deleteFromHistory(neighborhood.a)).toBe(200)
    expect(await deleteFromHistory(neighborhood.a)).toBe(404)
    expect(await listHistoryQueries()).toEqual(['DOG', 'Maya'])
  })

  test('CALL-48 deletes several entries, or all', async () => {
    const ids = [(await search('roses')).query_id, (await search('cat')).query_id, 'nothing']
    const deleteFromHistory = async (input: object) =>
      (await neighborhood.call(neighborhood.a, calls.deleteSearchHistory, { ...input })).body.data
    expect(await deleteFromHistory({ query_ids: ids, delete_all: false })).toEqual({ deleted: 2 })
    expect(await listHistoryQueries()).toEqual(['DOG', 'Maya'])
    expect(await deleteFromHistory({ query_ids: [], delete_all: false })).toEqual({ deleted: 0 })
    expect(await deleteFromHistory({ query_ids: [], delete_all: true })).toEqual({ deleted: 2 })
    expect(await listHistoryQueries()).toEqual([])
  })

  test('CALL-47 holds 50 searches and drops the oldest', async () => {
    for (let n = 0; n < 51; n++) await search(`number ${n}`)
    const storedQueries = await listHistoryQueries()
    expect([storedQueries.length, storedQueries[0], storedQueries.at(-1)]).toEqual([50, 'number 50', 'number 1'])
  })
})

test('CALL-46 returns the results even if the history cannot be stored, and logs the failure', async () => {
  const { DB } = neighborhood.bindings
  await DB.prepare('ALTER TABLE search_history RENAME TO away_history').run()
  const { query_id, events } = await search('a dog and a hedgehog')
  await expect.poll(() => neighborhood.stage.provider.outputLines.join('\n')).toContain('"search history"')
  await DB.prepare('ALTER TABLE away_history RENAME TO search_history').run()
  expect([events.map(({ event }) => event.event_id), query_id]).toEqual([['d2'], expect.stringMatching(/^query_/)])
  expect(await listHistoryQueries()).not.toContain('a dog and a hedgehog')
  await search('a dog and a hedgehog')
  expect((await fetchHistory())[0]).toMatchObject({ query_id, found: 1 })
})

describe('search enrollment', () => {
  test('CALL-51 CALL-52 is active once an account has registered; registering again changes nothing', async () => {
    const fetchStatus = async (account: SearchAccount) =>
      (await neighborhood.call(account, calls.onboardingStatus)).body.data
    expect(await fetchStatus(neighborhood.b)).toEqual({ status: 1, available: true })
    expect((await neighborhood.call(neighborhood.b, calls.onboardingRegister)).body.data).toEqual({
      status: 1,
      available: true,
    })
    const other = await addAccount(neighborhood.bindings, 'other')
    expect(await fetchStatus(other)).toEqual({ status: 2, available: false })
  })
})

describe('the hints that an account has seen', () => {
  test('CALL-53 CALL-54 OPEN-74 add up, and a state sent with the read request is ignored', async () => {
    const readHints = async (input = {}) =>
      (await neighborhood.call(neighborhood.b, calls.getInstructionState, input)).body.data.state
    const addHints = async (state: number) =>
      (await neighborhood.call(neighborhood.b, calls.setInstructionState, { state })).body.data.state
    expect(await readHints()).toBe(0)
    expect(await addHints(2)).toBe(2)
    expect(await readHints({ state: 3 })).toBe(2)
    expect([await addHints(1), await readHints()]).toEqual([3, 3])
    expect((await neighborhood.call(neighborhood.b, calls.setInstructionState, { state: 4 })).status).toBe(400)
  })
})

describe('search suggestions', () => {
  test('CALL-50 come from what the cameras have seen, and each finds something', async () => {
    const fetchRecommendations = () => neighborhood.call(neighborhood.a, calls.recommendation, { version: 'v1' })
    const { recommendations } = (await fetchRecommendations()).body.data
    expect(recommendations).toEqual([
      { query: 'Maya', found: 2 },
      { query: 'Someone at night', found: 2 },
      { query: 'Dog barking', found: 2 },
    ])
    expect((await fetchRecommendations()).body.data).toEqual({ recommendations })
    for (const { query } of recommendations) expect(await listResultIds(query)).not.toEqual([])
  })
})

describe('search feedback', () => {
  const sendFeedback = (query: string, accurate: boolean, category = '', account: SearchAccount = neighborhood.a) =>
    neighborhood.call(account, calls.searchFeedback, {
      query,
      is_search_result_accurate: accurate,
      feedback_message: '',
      feedback_category_id: category,
    })
  const undoFeedback = async (feedback_id: string, account: SearchAccount = neighborhood.a) =>
    (await neighborhood.call(account, calls.undoSearchFeedback, { feedback_id })).status

  test('CALL-55 CALL-56 needs one of the categories, and a search that was made', async () => {
    const { categories } = (await neighborhood.call(neighborhood.a, calls.feedbackCategory)).body.data
    expect(categories.length).toBeGreaterThan(2)
    await search('cat')
    expect((await sendFeedback('cat', false, categories[0].id)).status).toBe(200)
    expect((await sendFeedback('cat', false, 'no-such-category')).status).toBe(400)
    expect((await sendFeedback('never asked', true)).status).toBe(404)
    expect((await sendFeedback('cat', true, '', neighborhood.b)).status).toBe(404)
  })

  test('CALL-56 ranks a wrong result lower for everyone, for the same words only, until it is undone', async () => {
    expect(await listResultIds('barks')).toEqual(['d2', 'd1'])
    /* The time range excludes the older event, so the feedback applies only to the newer one. */
    const narrowSearch = { ...searchRange, start_ts: now - DAY_MS + 3, query: 'barks' }
    await neighborhood.call(neighborhood.a, calls.search, narrowSearch)
    const { feedback_id } = (await sendFeedback('barks', false)).body.data
    expect(await listResultIds('barks')).toEqual(['d1', 'd2'])
    expect(await listResultIds('barks', neighborhood.b)).toEqual(['d1', 'd2'])
    expect(await listResultIds('the barks')).toEqual(['d1', 'd2'])
    expect(await listResultIds('barking')).toEqual(['d2', 'd1'])
    expect(await undoFeedback(feedback_id, neighborhood.b)).toBe(404)
    expect(await undoFeedback(feedback_id)).toBe(200)
    expect(await listResultIds('barks')).toEqual(['d2', 'd1'])
    expect(await undoFeedback(feedback_id)).toBe(404)
  })

  test('ranks a right result higher, and counts once per account', async () => {
    await neighborhood.call(neighborhood.a, calls.search, { ...searchRange, end_ts: now - DAY_MS + 2, query: 'barks' })
    const first = (await sendFeedback('barks', true)).body.data.feedback_id
    expect(await listResultIds('barks')).toEqual(['d1', 'd2'])
    await neighborhood.call(neighborhood.a, calls.search, {
      ...searchRange,
      start_ts: now - DAY_MS + 3,
      query: 'barks',
    })
    const second = (await sendFeedback('barks', true)).body.data.feedback_id
    expect(await listResultIds('barks')).toEqual(['d2', 'd1'])
    expect([await undoFeedback(first), await undoFeedback(second)]).toEqual([404, 200])
  })
})
