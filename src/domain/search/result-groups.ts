import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { FOLD_MIN } from '../events/event-groups.ts'

export interface MatchFold {
  readonly match: SearchMatch
  readonly others: readonly SearchMatch[]
}

/** Key of similar results: camera and match explanation, or the title if no description matched. */
const matchText = ({ event, why }: SearchMatch): string =>
  `${event.device_id} ${why.length > 0 ? why.map(({ text }) => text).join('') : event.title}`

/**
 * Groups results of one camera with the same explanation under the first of them, if there are at least `FOLD_MIN`.
 * Keeps the order.
 */
export function foldMatches(matches: readonly SearchMatch[]): MatchFold[] {
  const alike = Map.groupBy(matches, matchText)
  return matches.flatMap((match) => {
    const group = alike.get(matchText(match)) ?? []
    if (group.length < FOLD_MIN) return { match, others: [] }
    return match === group[0] ? { match, others: group.slice(1) } : []
  })
}
