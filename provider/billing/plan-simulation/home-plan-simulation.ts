import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { listPeople } from '../../people/people-rows.ts'
import { toNamedPeople } from '../../people/shown-names.ts'
import { getRetentionStart } from '../plans/event-visibility.ts'
import { hasMatch } from '../../search/search-pipeline.ts'
import { type ScanBudget, SCAN_ENTRIES_MAX } from '../../search/index/index-scan.ts'
import { listNamedCameras } from '../../search/query/named-cameras.ts'
import type { NamedCamera } from '../../search/query/parse-query.ts'
import { countClips } from './clip-count-rows.ts'
import { type ClipCount, type SearchReach, SIMULATION_DAYS } from './simulation-rules.ts'

/** Scan budget, in rows, for all searches that one simulation repeats in a home: as much as four searches by a user. */
const SEARCH_ROWS = 4 * SCAN_ENTRIES_MAX

export interface HomeSimulation {
  readonly counts: readonly ClipCount[]
  /**
   * For each search, the number of reaches with a match; null if earlier searches used up the scan budget. A reach is
   * the set of cameras and days that a plan searches.
   */
  readonly found: readonly (number | null)[]
}

export class HomePlanSimulator {
  readonly #home: HomeContext

  constructor(home: HomeContext) {
    this.#home = home
  }

  /**
   * Returns clip counts by age, and for each search the number of `reaches` (widest first) with a match. Returns null
   * if the account does not own the home.
   */
  async simulatePlans(
    userId: string,
    options: { readonly searches: readonly string[]; readonly reaches: readonly SearchReach[]; readonly days?: number },
    now: number,
  ): Promise<HomeSimulation | null> {
    const { sql, access } = this.#home
    if (access.findRole(userId) !== OWNER_ROLE) return null
    const cameras = listNamedCameras(sql)
    const ids = cameras.map(({ device_id }) => device_id)
    const counts = await countClips(sql, ids, {
      from: getRetentionStart(options.days ?? SIMULATION_DAYS, now),
      to: now,
    })
    const budget: ScanBudget = { left: SEARCH_ROWS, slices: 0 }
    const found: (number | null)[] = []
    for (const query of options.searches)
      found.push(budget.left > 0 ? await this.#countMatchingReaches(cameras, { ...options, query, now }, budget) : null)
    return { counts, found }
  }

  async #countMatchingReaches(
    cameras: readonly NamedCamera[],
    { query, reaches, now }: { query: string; reaches: readonly SearchReach[]; now: number },
    budget: ScanBudget,
  ): Promise<number> {
    const { sql } = this.#home
    const people = toNamedPeople(listPeople(sql))
    for (const [reachIndex, { cameras: covered, days }] of reaches.entries()) {
      const since = getRetentionStart(days, now)
      const visibility = [
        { devices: cameras.map((camera) => camera.device_id).filter((id) => covered.includes(id)), since, free: false },
      ]
      const searchQuery = { query, devices: [], tags: [], start: since, end: now }
      if (!(await hasMatch(sql, { cameras, people }, searchQuery, visibility, budget))) return reachIndex
    }
    return reaches.length
  }
}
