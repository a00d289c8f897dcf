import type { Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { searchableHomes } from './search-handlers.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/** Age up to which events count for recommendations. */
const RECENT_MS = 14 * DAY_MS
const RECOMMENDED = 6

export interface Suggestion {
  readonly query: string
  readonly found: number
}

/**
 * Returns searches that have matches on the account's cameras, those in its own home first. Returns none without a plan
 * that includes search.
 */
export async function answerRecommendation(env: Env, userId: string, now: number) {
  const homes = await searchableHomes(env, userId, now)
  const lists = await Promise.all(
    homes.map(({ home_id, plans }) => homeStub(env, home_id).suggest({ userId, plans, now }, now - RECENT_MS, now)),
  )
  const byQuery = new Map<string, Suggestion>()
  for (const suggestion of lists.flat()) {
    const key = suggestion.query.toLowerCase()
    const found = suggestion.found + (byQuery.get(key)?.found ?? 0)
    byQuery.set(key, { query: byQuery.get(key)?.query ?? suggestion.query, found })
  }
  return { recommendations: [...byQuery.values()].slice(0, RECOMMENDED) }
}
