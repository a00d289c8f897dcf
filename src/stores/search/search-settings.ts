import * as v from 'valibot'
import { DEFAULT_SORT, type SearchSort, SEARCH_SORTS } from '../../domain/search/search-request.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

const searchSettingsSchema = v.object({
  query: v.string(),
  showAll: v.boolean(),
  sort: v.picklist(SEARCH_SORTS),
  /** True until the first search. */
  isFirst: v.boolean(),
})
export type SearchSettings = v.InferOutput<typeof searchSettingsSchema>

export const DEFAULT_SEARCH_SETTINGS: SearchSettings = { query: '', showAll: false, sort: DEFAULT_SORT, isFirst: true }

/** Search settings of this user, persisted across visits (STORE-19). */
export const $searchSettings = persistentJson<SearchSettings>(
  STORAGE_KEYS.videoSearch,
  DEFAULT_SEARCH_SETTINGS,
  (value) => v.is(searchSettingsSchema, value),
)

export function changeSearchSettings(change: Partial<SearchSettings>): void {
  $searchSettings.set({ ...$searchSettings.get(), ...change })
}

/**
 * Returns the sort order of a search. If the URL has a query, only the URL determines the order (default:
 * `DEFAULT_SORT`); otherwise, returns the order that the user chose last.
 */
export function getSearchSort({ search, sort }: { search?: string; sort?: SearchSort }): SearchSort {
  return search ? (sort ?? DEFAULT_SORT) : $searchSettings.get().sort
}
