import { OWNER } from '../../../contract/auth/roles.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { allPeople } from '../../people/people-rows.ts'
import { namedPeople } from '../../people/shown-names.ts'
import { keptSince } from '../plans/event-visibility.ts'
import { findsAny } from '../../search/search-pipeline.ts'
import { type Budget, ROWS_MAX } from '../../search/index/index-scan.ts'
import { namedCameras } from '../../search/query/named-cameras.ts'
import type { NamedCamera } from '../../search/query/parse-query.ts'
import { countClips } from './clip-count-rows.ts'
import { type ClipCount, type Reach, TRUTH_DAYS } from './simulation-rules.ts'

/** What may be read of the index for all searches of one question: as much as for four that somebody makes. */
const SEARCH_ROWS = 4 * ROWS_MAX

export interface HomeTruth {
  readonly counts: readonly ClipCount[]
  /** Of each search how many of the reaches, counted from the widest, find something; null: it was not looked for any more. */
  readonly found: readonly (number | null)[]
}

/** The part of a home that tells what each plan would have of its last days. */
export class HomePlanSimulator {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  /**
   * To an owner: clips by their age, and how many of the reaches find something by these words. Each reach lies within the one
   * before it, so that what one does not find no later one does. `days`: how far back it is counted. Null for anybody else.
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
