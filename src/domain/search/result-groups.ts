import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { GROUP_MIN_EVENTS } from '../events/event-groups.ts'

export interface MatchGroup {
  readonly match: SearchMatch
  readonly others: readonly SearchMatch[]
}

/** Key of similar results: camera and match explanation, or the title if no description matched. */
const getGroupKey = ({ event, why }: SearchMatch): string =>
  `${event.device_id} ${why.length > 0 ? why.map(({ text }) => text).join('') : event.title}`

/**
 * Groups at least `GROUP_MIN_EVENTS` results with the same key under the first of them. Keeps the order of the results.
 */
export function groupMatches(matches: readonly SearchMatch[]): MatchGroup[] {
  const groups = Map.groupBy(matches, getGroupKey)
  return matches.flatMap((match) => {
    const group = groups.get(getGroupKey(match)) ?? []
    if (group.length < GROUP_MIN_EVENTS) return { match, others: [] }
    return match === group[0] ? { match, others: group.slice(1) } : []
  })
}
