import { atom, computed } from 'nanostores'
import { SEARCH_DEBOUNCE_MS } from '../../../contract/wire/constants.ts'
import { recommendation } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { suggestionsFor } from '../../domain/search/search-request.ts'
import { $eventTags } from '../events/event-tags.ts'
import { $videoSearchHistory } from './search-history.ts'
import { changeSettings } from './search-settings.ts'

export type Recommendation = DataOf<typeof recommendation>['recommendations'][number]

/** Searches that find something now. */
export const $recommendations = atom<readonly Recommendation[]>([])

export async function loadRecommendations(): Promise<void> {
  const answer = await request(recommendation, { version: 'v1' })
  if (answer.ok) $recommendations.set(answer.data.recommendations)
}

/** What was typed, as far as it counts for suggestions. */
const $typed = atom('')

/** Own searches, recommended ones and names of people that hold what was typed. */
export const $suggestions = computed(
  [$typed, $videoSearchHistory, $recommendations, $eventTags],
  (typed, history, recommended, { friendlyFaces }) =>
    suggestionsFor(
      typed,
      history.map(({ query }) => query),
      recommended.map(({ query }) => query),
      Object.values(friendlyFaces),
    ),
)

let timer: ReturnType<typeof setTimeout> | undefined

/** Takes what is being typed: suggestions follow once it has stood for a moment (SEARCH-12). No search is made for it. */
export function handleTyping(text: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    $typed.set(text)
    changeSettings({ query: text })
  }, SEARCH_DEBOUNCE_MS)
}

/** Something was asked, or the field is left: nothing is suggested until somebody types again. */
export function endTyping(): void {
  clearTimeout(timer)
  $typed.set('')
}
