// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest'
import { configureClient } from '../../../src/api/api-client.ts'
import { $eventUrl, changeFilter, openSearch } from '../../../src/stores/events/event-url.ts'
import { reloadEvents } from '../../../src/stores/events/events.ts'
import { loadMoreResults, retrySearch, $search, $videoSearchEvents } from '../../../src/stores/search/search.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import {
  submitQuery,
  setSearchSort,
  closeSearch,
  formatMatchHref,
  openSearchMatch,
  consumeOpenedMatch,
} from '../../../src/stores/search/search-url.ts'
import { $videoSearchHistory } from '../../../src/stores/search/search-history.ts'
import { $videoSearchLogin, enrollInSearch, loadEnrollment } from '../../../src/stores/account/search-enrollment.ts'
import { $videoSearchModal } from '../../../src/stores/shell/search-dialog.ts'
import { $searchSettings, DEFAULT_SEARCH_SETTINGS } from '../../../src/stores/search/search-settings.ts'
import { $videoSearchSwitch } from '../../../src/stores/session/session.ts'
import { STORAGE_KEYS } from '../../../src/stores/storage/storage-keys.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { setUpSearch, createSearchResponse, filterSearchRequests } from '../../support/searching.ts'

const createMatch = (event_id: string, event_ts: number) => ({
  event: {
    event_id,
    device_id: 'CAM1',
    event_ts,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
  },
  strength: 'good',
  at_s: 7.46,
  why: [],
})
const RESULTS_RESPONSE = createSearchResponse([createMatch('b', 2), createMatch('c', 3), createMatch('a', 1)], 312)
const listResultIds = () => $videoSearchEvents.get().map(({ event }) => event.event_id)
const flushPromises = () => new Promise((resolve) => setTimeout(resolve))

setUpSearch()

describe('the search', () => {
  test('CALL-39 loads results that the list lacks by id, and removes results that no longer exist', async () => {
    const [b, , a] = RESULTS_RESPONSE.data.events.map(({ event }) => event)
    const requests = stubApiResponses({
      search: RESULTS_RESPONSE,
      'get-event-list-by-ids': { code: 200, data: { event_list: [a, { ...b, reviewed: true }] } },
    })
    openSearch()
    submitQuery('asked by ids')
    await vi.waitFor(() => expect(listResultIds()).toEqual(['b', 'a']), WAIT_OPTIONS)
    expect($videoSearchEvents.get().map(({ event }) => event.reviewed)).toEqual([true, false])
    expect(requests.at(-1)?.body).toEqual({ event_id_list: ['b', 'c', 'a'] })
  })

  test('SEARCH-16 is open while its flag is set, and the flag is in the URL', () => {
    expect($videoSearchModal.get()).toBe(false)
    openSearch()
    expect($videoSearchModal.get()).toBe(true)
    expect(location.search).toBe('?search=')
    history.replaceState(null, '')
    closeSearch()
    expect($videoSearchModal.get()).toBe(false)
    expect(location.search).toBe('')
  })

  test('SEARCH-13 STORE-11 stores its events and history, with the events initially in search order', async () => {
    stubApiResponses({ search: RESULTS_RESPONSE })
    openSearch()
    submitQuery('first of all')
    await flushPromises()
    expect(listResultIds()).toEqual(['b', 'c', 'a'])
    expect($videoSearchHistory.get()).toMatchObject([{ query_id: 'q1', query: 'first of all', found: 312 }])
    setSearchSort('oldest')
    expect(listResultIds()).toEqual(['a', 'b', 'c'])
    expect(location.search).toBe('?search=first+of+all&sort=oldest')
  })

  test('CONST-04 requests 50 results, and 10000 events for a list', async () => {
    const requests = stubApiResponses({ search: RESULTS_RESPONSE, history: { code: 200, data: { event_list: [] } } })
    openSearch()
    submitQuery('so many')
    reloadEvents()
    await flushPromises()
    expect(filterSearchRequests(requests)[0]?.body).toMatchObject({ limit: 50 })
    expect(requests.find(({ path }) => path.endsWith('/event/history'))?.body).toMatchObject({ count: 10_000 })
  })

  test('loads the next 50 results after the received ones, without those that are listed already', async () => {
    const page = Array.from({ length: 50 }, (_, n) => createMatch(`m${n}`, n))
    const last = [createMatch('m0', 0), createMatch('last', 60)]
    const requests = stubApiResponses({
      search: ({ offset = 0 }: { offset?: number }) => createSearchResponse(offset === 0 ? page : last, 52),
    })
    openSearch()
    submitQuery('very many')
    await vi.waitFor(() => expect(listResultIds()).toHaveLength(50), WAIT_OPTIONS)
    await loadMoreResults()
    expect(filterSearchRequests(requests).map(({ body }) => (body as { offset?: number }).offset)).toEqual([
      undefined,
      50,
    ])
    expect(listResultIds()).toHaveLength(51)
    await loadMoreResults()
    expect(filterSearchRequests(requests)).toHaveLength(2)
  })

  test('sends no request until the account is known to have search', async () => {
    $videoSearchSwitch.set(false)
    const requests = stubApiResponses({ search: RESULTS_RESPONSE })
    openSearch()
    submitQuery('too early')
    await flushPromises()
    expect(requests).toEqual([])
    $videoSearchSwitch.set(true)
    await flushPromises()
    expect(filterSearchRequests(requests)).toHaveLength(1)
  })

  test('sends one request per query and filter: Back and another sort order reuse the results', async () => {
    const requests = stubApiResponses({ search: RESULTS_RESPONSE })
    openSearch()
    submitQuery('twice')
    await flushPromises()
    setSearchSort('newest')
    submitQuery('another')
    await flushPromises()
    history.replaceState(null, '', '/events?search=twice')
    dispatchEvent(new PopStateEvent('popstate'))
    await flushPromises()
    expect(filterSearchRequests(requests).map(({ body }) => (body as { query: string }).query)).toEqual([
      'twice',
      'another',
    ])
    expect($search.get()).toMatchObject({ state: 'found', query: 'twice' })
    changeFilter({ cameras: ['CAM1'] })
    await flushPromises()
    expect(filterSearchRequests(requests).at(-1)?.body).toMatchObject({
      query: 'twice',
      device_macs_to_include: ['CAM1'],
    })
  })

  test('aborts the previous query when a newer one starts', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    configureClient({
      fetch: (_, init) => (signals.push(init?.signal), new Promise(() => undefined)),
      token: () => 'handle',
      xsrf: () => 'xsrf',
      refresh: () => Promise.resolve('over'),
      onSignedOut: () => undefined,
    })
    openSearch()
    submitQuery('older')
    submitQuery('newer')
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
    expect($search.get()).toEqual({ state: 'searching', query: 'newer', time: null })
  })

  test('knows the total number of matches and subtracts deleted ones', async () => {
    const sockets: { onmessage?: (event: { data: string }) => void }[] = []
    vi.stubGlobal('WebSocket', function (this: (typeof sockets)[number]) {
      sockets.push(this)
    })
    stubApiResponses({ search: RESULTS_RESPONSE, 'feed-ticket': { code: 200, data: { url: 'ws://localhost/feed' } } })
    openFeed()
    await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT_OPTIONS)
    openSearch()
    submitQuery('one of many')
    await flushPromises()
    const readTotal = () => {
      const now = $search.get()
      return now.state === 'found' ? now.answer.total : null
    }
    expect(readTotal()).toBe(312)
    sockets[0]?.onmessage?.({ data: JSON.stringify({ type: 'removed', event_ids: ['c', 'nothing'] }) })
    expect([listResultIds(), readTotal()]).toEqual([['b', 'a'], 311])
  })

  test('opens a clip at the matching second and restores the scroll position on the way back', async () => {
    stubApiResponses({ search: RESULTS_RESPONSE })
    openSearch()
    submitQuery('way back')
    await flushPromises()
    const [best] = $videoSearchEvents.get()
    if (!best) throw new Error('The search returned no events.')
    expect(formatMatchHref(best)).toBe('/events?event=b&camera=CAM1&t=7.4')
    const replace = vi.spyOn(history, 'replaceState')
    openSearchMatch(best, 320)
    const [left] = replace.mock.calls[0] ?? []
    replace.mockRestore()
    expect($eventUrl.get()).toMatchObject({ open: { eventId: 'b', at: 7.4 } })
    expect($videoSearchModal.get()).toBe(false)
    history.replaceState(left, '', '/events?search=way+back')
    expect(consumeOpenedMatch()).toEqual({ eventId: 'b', top: 320 })
    expect(consumeOpenedMatch()).toBeNull()
  })
})

describe('a failed search', () => {
  const runFailingSearch = async (answers: Record<string, unknown>, query: string) => {
    stubApiResponses(answers)
    openSearch()
    submitQuery(query)
    await flushPromises()
    return $search.get()
  }

  test('reports too many days and suggests fewer', async () => {
    expect(await runFailingSearch({ search: { code: 3056 } }, 'long ago')).toMatchObject({
      state: 'failed',
      isTooLarge: true,
      failure: { text: expect.stringContaining('a smaller date and time range') as string },
    })
  })

  test('reports a missing response and can be retried', async () => {
    expect(await runFailingSearch({}, 'nobody there')).toMatchObject({ state: 'failed', isTooLarge: false })
    stubApiResponses({ search: RESULTS_RESPONSE })
    retrySearch()
    await flushPromises()
    expect($search.get()).toMatchObject({ state: 'found', query: 'nobody there' })
  })

  test('checks again whether the account may search after a rejection', async () => {
    stubApiResponses(
      { search: { code: 403 }, status: { code: 200, data: { status: 2, available: true } } },
      'refreshed',
    )
    openSearch()
    submitQuery('refused')
    await flushPromises()
    expect([$videoSearchSwitch.get(), $videoSearchLogin.get()]).toEqual([false, 2])
  })
})

describe('search enrollment', () => {
  test('SEARCH-15 SESSION-04 has login status 0 and the switch off until the provider responds', async () => {
    vi.resetModules()
    const fresh = await import('../../../src/stores/account/search-enrollment.ts')
    const session = await import('../../../src/stores/session/session.ts')
    expect([fresh.$videoSearchLogin.get(), session.$videoSearchSwitch.get()]).toEqual([0, false])
  })

  test.each([
    [1, true, true],
    [2, true, false],
    [1, false, false],
  ])('with status %d and available %s sets the switch to %s', async (status, available, isOn) => {
    stubApiResponses({ status: { code: 200, data: { status, available } } })
    await loadEnrollment(true)
    expect($videoSearchLogin.get()).toBe(status)
    expect($videoSearchSwitch.get()).toBe(isOn)
  })

  test('turns the search on', async () => {
    $videoSearchSwitch.set(false)
    stubApiResponses({ register: { code: 200, data: { status: 1, available: true } } })
    await enrollInSearch()
    expect($videoSearchSwitch.get()).toBe(true)
  })
})

describe('search settings', () => {
  test('STORE-19 store query text, show-load-all flag, sort choice and first-search flag', async () => {
    expect(DEFAULT_SEARCH_SETTINGS).toEqual({ query: '', showAll: false, sort: 'best', isFirst: true })
    stubApiResponses({ search: RESULTS_RESPONSE })
    openSearch()
    submitQuery('kept')
    setSearchSort('newest')
    await flushPromises()
    expect(JSON.parse(localStorage.getItem(STORAGE_KEYS.videoSearch) ?? '')).toEqual({
      query: 'kept',
      showAll: false,
      sort: 'newest',
      isFirst: false,
    })
  })

  test('treat an unreadable stored value as missing', () => {
    const newValue = '{"query":"x","sort":"sideways"}'
    localStorage.setItem(STORAGE_KEYS.videoSearch, newValue)
    window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEYS.videoSearch, newValue }))
    expect($searchSettings.get()).toEqual(DEFAULT_SEARCH_SETTINGS)
  })
})
