import type { Env } from '../env.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { listSearchableHomes } from './search-handlers.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/** Maximum age of events from which recommendations are derived. */
const RECENT_EVENTS_MS = 14 * DAY_MS
const MAX_RECOMMENDATIONS = 6

export interface Suggestion {
  readonly query: string
  readonly found: number
}

/**
 * Returns suggested searches that have matches on cameras that the account may see and whose plan includes search.
 */
export async function handleRecommendation(env: Env, access: AccountAccess, now: number) {
  const { userId } = access
  const homes = listSearchableHomes(env, access, now)
  const lists = await Promise.all(
    homes.map(({ home_id, plans }) =>
      homeStub(env, home_id).suggest({ userId, plans, now }, now - RECENT_EVENTS_MS, now),
    ),
  )
  const byQuery = new Map<string, Suggestion>()
  for (const suggestion of lists.flat()) {
    const key = suggestion.query.toLowerCase()
    const found = suggestion.found + (byQuery.get(key)?.found ?? 0)
    byQuery.set(key, { query: byQuery.get(key)?.query ?? suggestion.query, found })
  }
  return { recommendations: [...byQuery.values()].slice(0, MAX_RECOMMENDATIONS) }
}
