import { OWNER } from '../../../contract/auth/roles.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { allPeople } from '../../people/people-rows.ts'
import { namedPeople } from '../../people/shown-names.ts'
import { keptSince } from '../plans/event-visibility.ts'
import { findsAny } from '../../search/search-pipeline.ts'
import { type Budget, SCAN_ROWS_MAX } from '../../search/index/index-scan.ts'
import { namedCameras } from '../../search/query/named-cameras.ts'
import type { NamedCamera } from '../../search/query/parse-query.ts'
import { countClips } from './clip-count-rows.ts'
import { type ClipCount, type Reach, TRUTH_DAYS } from './simulation-rules.ts'

/** Scan budget for all searches of one request: as many rows as four user searches may read. */
const SEARCH_ROWS = 4 * SCAN_ROWS_MAX

export interface HomeTruth {
  readonly counts: readonly ClipCount[]
  /**
   * Per search: number of reaches (cameras and days that a plan searches) with a match, counted from the widest; null
   * if the scan budget ran out.
   */
  readonly found: readonly (number | null)[]
}

export class HomePlanSimulator {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  /**
   * Returns clip counts by age, and for each search the number of reaches with a match; null if the account does not
   * own the home. Each reach lies within the previous one, so a search without a match has none in later reaches.
   * `days`: number of past days to count.
   */
  async simulatePlans(
    userId: string,
    options: { readonly searches: readonly string[]; readonly reaches: readonly Reach[]; readonly days?: number },
    now: number,
  ): Promise<HomeTruth | null> {
    const { sql, access } = this.home
    if (access.findRole(userId) !== OWNER) return null
    const cameras = namedCameras(sql)
    const ids = cameras.map(({ device_id }) => device_id)
    const counts = await countClips(sql, ids, { from: keptSince(options.days ?? TRUTH_DAYS, now), to: now })
    const budget: Budget = { left: SEARCH_ROWS, slices: 0 }
    const found: (number | null)[] = []
    for (const query of options.searches)
      found.push(budget.left > 0 ? await this.finders(cameras, { ...options, query, now }, budget) : null)
    return { counts, found }
  }

  private async finders(
    cameras: readonly NamedCamera[],
    { query, reaches, now }: { query: string; reaches: readonly Reach[]; now: number },
    budget: Budget,
  ): Promise<number> {
    const { sql } = this.home
    const people = namedPeople(allPeople(sql))
    for (const [place, { cameras: covered, days }] of reaches.entries()) {
      const since = keptSince(days, now)
      const view = [
        { devices: cameras.map((camera) => camera.device_id).filter((id) => covered.includes(id)), since, free: false },
      ]
      const searchQuery = { query, devices: [], tags: [], start: since, end: now }
      if (!(await findsAny(sql, { cameras, people }, searchQuery, view, budget))) return place
    }
    return reaches.length
  }
}
