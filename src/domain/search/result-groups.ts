import type { SearchMatch } from '../../../contract/search/search-calls.ts'

/** Minimum number of results in a group. Two results stay ungrouped: a button would save only one row. */
const GROUP_MIN_EVENTS = 3
/** Number of results from which groups are collapsed at first. */
const COLLAPSED_MIN_RESULTS = 6

/** Returns true if a search has so few results that its groups are open at first. */
export const areGroupsOpenAtFirst = (resultCount: number): boolean => resultCount < COLLAPSED_MIN_RESULTS

export interface MatchGroup {
  readonly match: SearchMatch
  readonly others: readonly SearchMatch[]
}

/**
 * Returns a key that is equal for similar results: same camera and match explanation, or same camera and title if there
 * is no explanation.
 */
const getGroupKey = ({ event, why }: SearchMatch): string =>
  `${event.device_id} ${why.length > 0 ? why.map(({ text }) => text).join('') : event.title}`

/**
 * Collapses similar results of one camera into a group, headed by the first of them, if there are at least
 * `GROUP_MIN_EVENTS`. Groups and single results keep their order.
 */
export function groupMatches(matches: readonly SearchMatch[]): MatchGroup[] {
  const groups = Map.groupBy(matches, getGroupKey)
  return matches.flatMap((match) => {
    const group = groups.get(getGroupKey(match)) ?? []
    if (group.length < GROUP_MIN_EVENTS) return { match, others: [] }
    return match === group[0] ? { match, others: group.slice(1) } : []
  })
}
