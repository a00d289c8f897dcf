import type { InferOutput } from 'valibot'
import { isZone } from '../../contract/search/query-time/zoned-time.ts'
import { SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import {
  type SearchCoverageCounts,
  type QueryInterpretation,
  type search,
  TOTAL_MAX,
} from '../../contract/search/search-calls.ts'
import type { Env } from '../env.ts'
import { checkSpan } from '../events/event-history-handlers.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { entitlementsInHome, plannedHomes, type PlannedHome } from '../billing/plans/plan-rows.ts'
import { keptSince } from '../billing/plans/event-visibility.ts'
import { forbidden, badRequest } from '../platform/api-error.ts'
import { isEnrolled, putSearch, type ShownEvents } from './search-account-rows.ts'
import { CLOSEST } from './match-finder.ts'
import type { HomeSearchResult } from './search-pipeline.ts'
import { compare } from './ranking/match-weights.ts'
import type { PlacedMatch } from './ranking/match-explanations.ts'

/** Returns `searchableHomes`. Throws 403 if there are none, or if the account is not enrolled. */
async function searchedHomes(env: Env, userId: string, now: number): Promise<PlannedHome[]> {
  const [homes, enrolled] = await Promise.all([searchableHomes(env, userId, now), isEnrolled(env.DB, userId)])
  if (homes.length === 0) throw noPlan()
  if (!enrolled) throw forbidden('This account is not enrolled for the search yet. Switch it on first.')
  return homes
}

/** Returns the homes in which the account may see a camera whose plan includes search. */
export async function searchableHomes(env: Env, userId: string, now: number): Promise<PlannedHome[]> {
  const homes = await plannedHomes(env, userId)
  return homes.filter((home) => entitlementsInHome(home, now).some(({ search }) => search))
}

export const noPlan = () =>
  forbidden('No plan of your cameras includes the search. Choose a plan with AI search to use it.')

interface AskedHome {
  readonly home: PlannedHome
  readonly found: HomeSearchResult
}

export async function answerSearch(
  env: Env,
  userId: string,
  input: InferOutput<typeof search.request>,
  now: number,
): Promise<InferOutput<typeof search.response>['data']> {
  const { start_ts: start, end_ts: end, device_macs_to_include: devices, event_tags_to_include: tags, query } = input
  const question = { query, start, end, devices, tags, zone: input.zone, asIs: input.as_is, now }
  if (end < start) throw badRequest('The end lies before the beginning.')
  checkSpan({ begin_time: start, end_time: end })
  if (!isZone(input.zone)) throw badRequest('The time zone is not known.')
  const homes = await searchedHomes(env, userId, now)
  const answers = await Promise.all(
    homes.map(async (home): Promise<AskedHome> => {
      const asker = { userId, plans: home.plans, now }
      const found = await homeStub(env, home.home_id).search(asker, question)
      return { home, found: found as HomeSearchResult }
    }),
  )
  const events = merge(answers, ({ found }) => found, SEARCH_LIMIT)
  const closest = events.length > 0 ? [] : merge(answers, (found) => found.closest, CLOSEST)
  const shownEvents = answers.map(({ home, found }): ShownEvents[number] => {
    const ids = found.found.map(({ place }) => place.event_id)
    return [home.home_id, ids.filter((id) => events.some(({ event }) => event.event_id === id))]
  })
  const all = answers.reduce((sum, { found }) => sum + found.total, 0)
  const total = Math.min(TOTAL_MAX, all)
  const query_id = await putSearch(env.DB, userId, { query, found: total, shown: shownEvents }, now)
  return { query_id, events, total, closest, said: mergeInterpretations(answers), coverage: sumCoverage(answers, now) }
}

/** Merges the results of several homes by rank. */
function merge(answers: readonly AskedHome[], of: (found: HomeSearchResult) => PlacedMatch[], limit: number) {
  const all = answers.flatMap(({ found }) => of(found))
  if (answers.length > 1) all.sort((a, b) => compare(a.place, b.place))
  return all.slice(0, limit).map(({ match }) => match)
}

/**
 * Merges query interpretations. Unmatched terms, corrections, unknown words and camera areas remain only if all homes
 * report them.
 */
function mergeInterpretations(answers: readonly AskedHome[]): QueryInterpretation {
  const [first, ...others] = answers.map(({ found }) => found.said)
  if (!first) return { nowhere: [], instead: [], without: [], places: [], unknown: [] }
  const inAll = (of: (interpretation: QueryInterpretation) => readonly string[]) =>
    of(first).filter((words) => others.every((interpretation) => of(interpretation).includes(words)))
  const isInstead = (words: string) =>
    others.every(({ instead }) => instead.some((correction) => correction.asked === words))
  return {
    nowhere: inAll(({ nowhere }) => nowhere),
    instead: first.instead.filter(({ asked: original }) => isInstead(original)),
    without: first.without,
    places: inAll(({ places }) => places),
    unknown: inAll(({ unknown }) => unknown),
  }
}

/** Returns the longest search period in the home, in days. */
const searchedDays = (home: PlannedHome, now: number) =>
  Math.max(...entitlementsInHome(home, now).map(({ search, keepsDays }) => (search ? keepsDays : 0)))

function sumCoverage(answers: readonly AskedHome[], now: number): SearchCoverageCounts {
  const sum = (name: 'clips' | 'searched' | 'arriving' | 'waiting' | 'undescribed') =>
    answers.reduce((total, { found }) => total + found.coverage[name], 0)
  const left = answers.flatMap(({ found }) => found.coverage.left_out ?? [])
  return {
    clips: sum('clips'),
    searched: sum('searched'),
    arriving: sum('arriving'),
    waiting: sum('waiting'),
    undescribed: sum('undescribed'),
    kept_since: keptSince(Math.max(...answers.map(({ home }) => searchedDays(home, now))), now),
    ...(left.length > 0 && {
      left_out: {
        before: Math.max(...left.map(({ before }) => before)),
        clips: left.reduce((total, { clips }) => total + clips, 0),
      },
    }),
  }
}
