import { atom } from 'nanostores'
import {
  deleteSearchHistory,
  deleteSearchHistoryEntry,
  type HistoryEntry,
  searchHistory,
} from '../../../contract/search.ts'
import { request } from '../../api/client.ts'
import { showToast } from '../shell/toasts.ts'

/** The account's searches, the latest first (STORE-11). */
export const $videoSearchHistory = atom<readonly HistoryEntry[]>([])
export const $historyState = atom<'loading' | 'ready' | 'failed'>('loading')

const NOT_DELETED = 'Your searches could not be deleted. They are still in the list.'

export async function loadHistory(): Promise<void> {
  const answer = await request(searchHistory, {}, { silent: true })
  if (answer.ok) $videoSearchHistory.set(answer.data.history)
  if (answer.ok || $historyState.get() === 'loading') $historyState.set(answer.ok ? 'ready' : 'failed')
}

/** A search was made: it stands first, and only once. */
export function noteSearch(entry: HistoryEntry): void {
  const others = $videoSearchHistory.get().filter(({ query_id }) => query_id !== entry.query_id)
  $videoSearchHistory.set([entry, ...others])
}

/** Deletes searches: off the list at once, back when the provider refuses. */
export async function deleteSearches(ids: readonly string[]): Promise<void> {
  const [only] = ids
  if (ids.length === 1 && only !== undefined) {
    return take(ids, async () => {
      const answer = await request(deleteSearchHistoryEntry, {}, { params: { query_id: only }, silent: true })
      return answer.ok || answer.status === 404
    })
  }
  const input = { query_ids: [...ids], delete_all: false }
  return take(ids, async () => (await request(deleteSearchHistory, input, { silent: true })).ok)
}

export function clearHistory(): Promise<void> {
  const ids = $videoSearchHistory.get().map(({ query_id }) => query_id)
  const input = { query_ids: [], delete_all: true }
  return take(ids, async () => (await request(deleteSearchHistory, input, { silent: true })).ok)
}

async function take(ids: readonly string[], remove: () => Promise<boolean>): Promise<void> {
  const gone = $videoSearchHistory.get().filter(({ query_id }) => ids.includes(query_id))
  $videoSearchHistory.set($videoSearchHistory.get().filter((entry) => !gone.includes(entry)))
  if (await remove()) return
  const kept = $videoSearchHistory.get().filter(({ query_id }) => !ids.includes(query_id))
  $videoSearchHistory.set([...kept, ...gone].toSorted((a, b) => b.at - a.at))
  showToast('error', NOT_DELETED)
}
