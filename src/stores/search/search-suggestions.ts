import { atom, computed } from 'nanostores'
import { SEARCH_DEBOUNCE_MS } from '../../../contract/wire/constants.ts'
import { recommendation } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { findSuggestions } from '../../domain/search/search-request.ts'
import { $eventTags } from '../events/event-tags.ts'
import { $videoSearchHistory } from './search-history.ts'
import { changeSearchSettings } from './search-settings.ts'

export type Recommendation = DataOf<typeof recommendation>['recommendations'][number]

/** Recommended searches that currently have results. */
export const $recommendations = atom<readonly Recommendation[]>([])

export async function loadRecommendations(): Promise<void> {
  const response = await request(recommendation, { version: 'v1' })
  if (response.ok) $recommendations.set(response.data.recommendations)
}

const $debouncedInput = atom('')

/** Past searches, recommended searches and names of people that match the input. */
export const $suggestions = computed(
  [$debouncedInput, $videoSearchHistory, $recommendations, $eventTags],
  (typed, history, recommended, { friendlyFaces }) =>
    findSuggestions(
      typed,
      history.map(({ query }) => query),
      recommended.map(({ query }) => query),
      Object.values(friendlyFaces),
    ),
)

let debounceTimer: ReturnType<typeof setTimeout> | undefined

/** Updates the suggestions after a pause in typing (SEARCH-12). Does not start a search. */
export function updateSuggestions(text: string): void {
  clearTimeout(debounceTimer)
  debounceTimer = setTimeout(() => {
    $debouncedInput.set(text)
    changeSearchSettings({ query: text })
  }, SEARCH_DEBOUNCE_MS)
}

/** Clears the suggestions after a search or when the field loses focus. They return when the user types again. */
export function clearSuggestions(): void {
  clearTimeout(debounceTimer)
  $debouncedInput.set('')
}
