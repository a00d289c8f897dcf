import { $eventUrl } from '../../src/stores/events/event-url.ts'
import { $enrollmentFailure, loadEnrollment } from '../../src/stores/account/search-enrollment.ts'
import { $search, retrySearch, syncSearchWithUrl } from '../../src/stores/search/search.ts'
import {
  sendSearchFeedback,
  loadFeedbackCategories,
  $givenFeedback,
  withdrawSearchFeedback,
} from '../../src/stores/search/search-feedback.ts'
import {
  $searchHistoryState,
  $videoSearchHistory,
  clearSearchHistory,
  deleteSearches,
  loadSearchHistory,
} from '../../src/stores/search/search-history.ts'
import { claimSearchPopup } from '../../src/stores/search/search-popups.ts'
import { loadRecommendations } from '../../src/stores/search/search-suggestions.ts'
import { $videoSearchSwitch } from '../../src/stores/session/session.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const createHistoryEntry = (query_id: string) => ({ query_id, query: query_id, at: 1, found: 1 })
const readText = (failure: unknown) => (failure as { text?: string } | null)?.text
const readFailureText = (current: { state: string; failure?: unknown }) =>
  current.state === 'failed' && readText(current.failure)

async function runFailingSearch(query: string): Promise<void> {
  $videoSearchSwitch.set(true)
  $eventUrl.set({ ...$eventUrl.get(), search: query })
  const stop = syncSearchWithUrl()
  retrySearch()
  await new Promise<void>((resolve) => {
    const unsubscribe = $search.subscribe(({ state }) => {
      if (state !== 'failed') return
      resolve()
      queueMicrotask(() => unsubscribe())
    })
  })
  const { search: _, ...address } = $eventUrl.get()
  $eventUrl.set(address)
  stop()
}

/** Calls of the video search whose failure shows a toast. */
export const SEARCH_ACTIONS: readonly StoreCall[] = [
  { description: 'rates search results', requirement: 'CALL-56', ask: () => sendSearchFeedback('a fox', null) },
  {
    description: 'withdraws a search rating',
    requirement: 'EXT-search-feedback-undo',
    ask: () => ($givenFeedback.set({ 'a fox': { id: 'f1', isAccurate: true } }), withdrawSearchFeedback('a fox')),
  },
  {
    description: 'deletes a search',
    requirement: 'CALL-49',
    ask: () => ($videoSearchHistory.set([createHistoryEntry('q1')]), deleteSearches(['q1'])),
  },
  {
    description: 'deletes searches',
    requirement: 'CALL-48',
    ask: () => (
      $videoSearchHistory.set([createHistoryEntry('q1'), createHistoryEntry('q2')]),
      deleteSearches(['q1', 'q2'])
    ),
  },
  {
    description: 'deletes all searches',
    requirement: 'CALL-48',
    ask: () => ($videoSearchHistory.set([createHistoryEntry('q1')]), clearSearchHistory()),
  },
]

/** Calls of the video search whose failure message replaces a panel. */
export const SEARCH_PANELS: readonly PanelCall[] = [
  {
    description: 'the search results',
    requirement: 'CALL-46',
    ask: () => runFailingSearch('a fox'),
    readFailure: () => readFailureText($search.get()),
  },
  {
    description: 'the search history',
    requirement: 'CALL-47',
    ask: loadSearchHistory,
    readFailure: () => readFailureText($searchHistoryState.get()),
  },
  {
    description: 'the search enrollment state',
    requirement: 'CALL-52',
    ask: () => loadEnrollment(true),
    readFailure: () => readText($enrollmentFailure.get()),
  },
  {
    description: 'the search feedback categories',
    requirement: 'CALL-55',
    ask: loadFeedbackCategories,
    readFailure: readText,
  },
]

/** Calls of the video search that run in the background and show no toast if they fail. */
export const SILENT_SEARCH_CALLS: readonly StoreCall[] = [
  { description: 'the search suggestions', requirement: 'CALL-50', ask: loadRecommendations },
  { description: 'the state of search popups', requirement: 'CALL-53', ask: () => claimSearchPopup('search') },
  {
    description: 'marking a search popup as shown',
    requirement: 'CALL-54',
    before: { 'CALL-53': { state: 0 } },
    // Uses a different popup than the previous entry, because the store requests each popup only once.
    ask: () => claimSearchPopup('prompt'),
  },
]
