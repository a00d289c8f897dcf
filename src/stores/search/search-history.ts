import { atom } from 'nanostores'
import {
  deleteSearchHistory,
  deleteSearchHistoryEntry,
  type HistoryEntry,
  searchHistory,
} from '../../../contract/search/search-calls.ts'
import { request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { runUserAction, type Failure, ignoreNotFound, withFailureShown } from '../shell/report-failure.ts'

/** Search history of the account, newest first (STORE-11). */
export const $videoSearchHistory = atom<readonly HistoryEntry[]>([])
export const $searchHistoryState = atom<{ state: 'loading' | 'ready' } | { state: 'failed'; failure: Failure }>({
  state: 'loading',
})

const DELETION_FAILED_TEXT = 'We couldn’t delete your searches. They’re still in the list.'

/** Loads the search history. A failure leaves the previously loaded searches in place. */
export async function loadSearchHistory(): Promise<void> {
  const response = await withFailureShown('place', request(searchHistory, {}), 'We couldn’t load your searches.')
  if (response.ok) $videoSearchHistory.set(response.data.history)
  if (response.ok) $searchHistoryState.set({ state: 'ready' })
  else if ($searchHistoryState.get().state !== 'ready') $searchHistoryState.set({ state: 'failed', failure: response })
}

/** Puts a search at the top of the history, and removes an older entry with the same `query_id`. */
export function recordSearch(entry: HistoryEntry): void {
  const others = $videoSearchHistory.get().filter(({ query_id }) => query_id !== entry.query_id)
  $videoSearchHistory.set([entry, ...others])
}

/** Removes searches from the list immediately, and restores them if the deletion fails. */
export function deleteSearches(ids: readonly string[]): Promise<void> {
  const [singleId] = ids
  if (ids.length === 1 && singleId !== undefined)
    return removeHistoryEntries(ids, () =>
      ignoreNotFound(request(deleteSearchHistoryEntry, {}, { params: { query_id: singleId } })),
    )
  return removeHistoryEntries(ids, () => request(deleteSearchHistory, { query_ids: [...ids], delete_all: false }))
}

export function clearSearchHistory(): Promise<void> {
  const ids = $videoSearchHistory.get().map(({ query_id }) => query_id)
  return removeHistoryEntries(ids, () => request(deleteSearchHistory, { query_ids: [], delete_all: true }))
}

async function removeHistoryEntries(
  ids: readonly string[],
  sendDeletion: () => Promise<Result<unknown>>,
): Promise<void> {
  const removed = $videoSearchHistory.get().filter(({ query_id }) => ids.includes(query_id))
  $videoSearchHistory.set($videoSearchHistory.get().filter((entry) => !removed.includes(entry)))
  if (!(await runUserAction(sendDeletion(), { own: DELETION_FAILED_TEXT }))) return
  const remaining = $videoSearchHistory.get().filter(({ query_id }) => !ids.includes(query_id))
  $videoSearchHistory.set([...remaining, ...removed].toSorted((a, b) => b.at - a.at))
}
