import * as v from 'valibot'
import { DEFAULT_SORT, type Sort, SORTS } from '../../domain/search/search-request.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

const settings = v.object({
  /** What stands in the field. */
  query: v.string(),
  /** Whether all results are shown, and not only the first ones. */
  showAll: v.boolean(),
  sort: v.picklist(SORTS),
  /** Whether the first search is still to come. */
  isFirst: v.boolean(),
})
export type SearchSettings = v.InferOutput<typeof settings>

export const DEFAULT_SETTINGS: SearchSettings = { query: '', showAll: false, sort: DEFAULT_SORT, isFirst: true }

/** How this person searches; kept over visits (STORE-19). */
export const $searchSettings = keptJson<SearchSettings>(KEYS.videoSearch, DEFAULT_SETTINGS, (value) =>
  v.is(settings, value),
)

export function changeSettings(change: Partial<SearchSettings>): void {
  $searchSettings.set({ ...$searchSettings.get(), ...change })
}

/** The sort choice of an address, as long as something is asked; else that of the last visit. */
export function getSort({ search, sort }: { search?: string; sort?: Sort }): Sort {
  return search ? (sort ?? DEFAULT_SORT) : $searchSettings.get().sort
}
