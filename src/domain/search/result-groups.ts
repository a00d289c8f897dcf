import type { Match } from '../../../contract/search/search-calls.ts'
import { FOLD_MIN } from '../events/event-groups.ts'

/** A result, and those further down that say the same. */
export interface MatchFold {
  readonly match: Match
  readonly others: readonly Match[]
}

/** What a result says: which camera, and why it matched; where nobody describes its pictures, what it is called. */
const matchText = ({ event, why }: Match): string =>
  `${event.device_id} ${why.length > 0 ? why.map(({ text }) => text).join('') : event.title}`

/** The results in their order, those of one camera and one sentence gathered at the first of them where there are enough. */
export function foldMatches(matches: readonly Match[]): MatchFold[] {
  const alike = Map.groupBy(matches, matchText)
  return matches.flatMap((match) => {
    const group = alike.get(matchText(match)) ?? []
    if (group.length < FOLD_MIN) return { match, others: [] }
    return match === group[0] ? { match, others: group.slice(1) } : []
  })
}
