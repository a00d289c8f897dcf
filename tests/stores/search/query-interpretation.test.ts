// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { toDay } from '../../../src/domain/time/local-time.ts'
import { $eventUrl, changeFilter, openSearch } from '../../../src/stores/events/event-url.ts'
import { $search } from '../../../src/stores/search/search.ts'
import { searchWithoutCorrection, submitQuery, setSearchSort } from '../../../src/stores/search/search-url.ts'
import { $videoSearchHistory } from '../../../src/stores/search/search-history.ts'
import { $searchSettings } from '../../../src/stores/search/search-settings.ts'
import { stubApiResponses } from '../../support/client.ts'
import { setUpSearch, createSearchResponse, filterSearchRequests } from '../../support/searching.ts'

const EMPTY_RESULTS = createSearchResponse([])
const flushPromises = () => new Promise((resolve) => setTimeout(resolve))

setUpSearch()

describe('a query', () => {
  test('covers the time that it names, sends its time zone, and leaves the page filter unchanged', async () => {
    const requests = stubApiResponses({ search: EMPTY_RESULTS })
    openSearch()
    submitQuery('a parcel yesterday')
    await flushPromises()
    const today = new Date(Date.now()).setHours(0, 0, 0, 0)
    const yesterday = new Date(today)
    yesterday.setDate(yesterday.getDate() - 1)
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
    const named = { start_ts: yesterday.getTime(), end_ts: today - 1 }
    expect(filterSearchRequests(requests)[0]?.body).toMatchObject({
      query: 'a parcel yesterday',
      zone,
      as_is: false,
      ...named,
    })
    expect($search.get()).toMatchObject({ time: { said: 'yesterday', rest: 'a parcel' } })
    expect([$eventUrl.get().filter.range, location.search]).toEqual([14, '?search=a+parcel+yesterday'])
    const range = { start: toDay(yesterday.getTime()), end: toDay(today), hours: [0, 23] as const }
    changeFilter({ range })
    submitQuery('a parcel since yesterday')
    await flushPromises()
    expect(filterSearchRequests(requests).at(-1)?.body).toMatchObject({ start_ts: yesterday.getTime() })
    expect($eventUrl.get().filter.range).toEqual(range)
  })

  test('without the time that it names is a separate query, with Back leading to the first one', async () => {
    const requests = stubApiResponses({ search: EMPTY_RESULTS })
    openSearch()
    submitQuery('a heron last night')
    await flushPromises()
    const now = $search.get()
    const entries = history.length
    submitQuery(now.state === 'found' ? (now.time?.rest ?? '') : '')
    await flushPromises()
    expect(history.length).toBe(entries + 1)
    expect($search.get()).toMatchObject({ query: 'a heron', time: null })
    expect(filterSearchRequests(requests).map(({ body }) => (body as { query: string }).query)).toEqual([
      'a heron last night',
      'a heron',
    ])
    submitQuery('')
    expect([$search.get(), $searchSettings.get().query]).toEqual([{ state: 'idle' }, ''])
  })

  test('as written is a separate query, which stays in the URL until another one is submitted', async () => {
    const requests = stubApiResponses({ search: EMPTY_RESULTS })
    openSearch()
    submitQuery('drivway')
    await flushPromises()
    setSearchSort('newest')
    searchWithoutCorrection()
    await flushPromises()
    expect(location.search).toBe('?search=drivway&sort=newest&as=written')
    expect(filterSearchRequests(requests).map(({ body }) => (body as { as_is: boolean }).as_is)).toEqual([false, true])
    expect($videoSearchHistory.get()[0]).toMatchObject({ query: 'drivway' })
    changeFilter({ cameras: ['CAM1'] })
    await flushPromises()
    expect(filterSearchRequests(requests).at(-1)?.body).toMatchObject({ as_is: true, device_macs_to_include: ['CAM1'] })
    submitQuery('drivway')
    expect(location.search).toBe('?cameras=CAM1&search=drivway&sort=newest')
    history.replaceState(null, '', '/events?search=drivway&as=written')
    dispatchEvent(new PopStateEvent('popstate'))
    await flushPromises()
    expect(filterSearchRequests(requests)).toHaveLength(4)
  })
})
