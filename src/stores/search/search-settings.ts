import * as v from 'valibot'
import { DEFAULT_SORT, type Sort, SORTS } from '../../domain/search/search-request.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

const settings = v.object({
  query: v.string(),
  showAll: v.boolean(),
  sort: v.picklist(SORTS),
  /** True until the first search. */
  isFirst: v.boolean(),
})
export type SearchSettings = v.InferOutput<typeof settings>

export const DEFAULT_SETTINGS: SearchSettings = { query: '', showAll: false, sort: DEFAULT_SORT, isFirst: true }

/** Search settings of this user, persisted across visits (STORE-19). */
export const $searchSettings = keptJson<SearchSettings>(KEYS.videoSearch, DEFAULT_SETTINGS, (value) =>
  v.is(settings, value),
)

export function changeSettings(change: Partial<SearchSettings>): void {
  $searchSettings.set({ ...$searchSettings.get(), ...change })
}

/** Returns the sort order of the URL if it has a query, otherwise that of the last visit. */
export function getSort({ search, sort }: { search?: string; sort?: Sort }): Sort {
  return search ? (sort ?? DEFAULT_SORT) : $searchSettings.get().sort
}
