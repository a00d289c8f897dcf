import { afterEach, beforeEach } from 'vitest'
import { syncEventUrl } from '../../src/stores/events/event-url.ts'
import { retrySearch, syncSearchWithUrl } from '../../src/stores/search/search.ts'
import { $videoSearchHistory } from '../../src/stores/search/search-history.ts'
import { $searchSettings, DEFAULT_SEARCH_SETTINGS } from '../../src/stores/search/search-settings.ts'
import { $videoSearchSwitch } from '../../src/stores/session/session.ts'
import type { SentRequest } from './client.ts'

/** Builds a search response with these events. `total`: number of all matches. */
export const createSearchResponse = <Item>(events: readonly Item[], total = events.length) => ({
  code: 200,
  data: {
    query_id: 'q1',
    events,
    total,
    closest: [],
    said: { nowhere: [], instead: [], without: [], places: [], unknown: [] },
    coverage: { clips: 3, searched: 3, arriving: 0, waiting: 0, undescribed: 0, kept_since: 0 },
  },
})

export const filterSearchRequests = (requests: readonly SentRequest[]) =>
  requests.filter(({ path }) => path.endsWith('/search'))

export function setUpSearch(): void {
  let stopFunctions: (() => void)[] = []
  beforeEach(() => {
    history.replaceState(null, '', '/events')
    $searchSettings.set(DEFAULT_SEARCH_SETTINGS)
    $videoSearchSwitch.set(true)
    $videoSearchHistory.set([])
    stopFunctions = [syncEventUrl(), syncSearchWithUrl()]
  })
  afterEach(() => {
    retrySearch()
    stopFunctions.forEach((stop) => stop())
  })
}
