import { waitUntil } from 'cloudflare:workers'
import type { InferOutput } from 'valibot'
import { isTimeZone } from '../../contract/search/query-time/zoned-time.ts'
import { SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import {
  type SearchCoverageCounts,
  type QueryInterpretation,
  type search,
  SEARCH_TOTAL_MAX,
} from '../../contract/search/search-calls.ts'
import type { Env } from '../env.ts'
import { checkTimeSpan } from '../events/event-history-handlers.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { listEntitlements, listHomesWithPlans, type HomeWithPlans } from '../billing/plans/plan-rows.ts'
import { getRetentionStart } from '../billing/plans/event-visibility.ts'
import { forbidden, badRequest } from '../platform/api-error.ts'
import { createDataResponse } from '../platform/http/serve-call.ts'
import { reportTaskFailure } from '../telemetry/error-reporting.ts'
import { createQueryId, storeSearch, type ShownEvents, type StoredSearch } from './search-account-rows.ts'
import { runHistoryWrite } from './search-history-writes.ts'
import { NEAR_MISSES_MAX } from './match-finder.ts'
import type { HomeSearchResponse, MatchText } from './search-pipeline.ts'
import { compareHits } from './ranking/match-weights.ts'

/** Returns the searchable homes of an account. Throws 403 if it has none, or if it is not enrolled in search. */
function requireSearchableHomes(env: Env, access: AccountAccess, now: number): HomeWithPlans[] {
  const homes = listSearchableHomes(env, access, now)
  if (homes.length === 0) throw noSearchPlanError()
  if (!access.isEnrolledInSearch) throw forbidden('AI search is off for this account. Turn on AI search first.')
  return homes
}

/** Returns the homes in which the account may see a camera whose plan includes search. */
export const listSearchableHomes = (env: Env, access: AccountAccess, now: number): HomeWithPlans[] =>
  listHomesWithPlans(env, access).filter((home) => listEntitlements(home, now).some(({ search }) => search))

export const noSearchPlanError = () => forbidden('None of your plans includes AI search. Choose a plan that does.')

interface HomeResult {
  readonly home: HomeWithPlans
  readonly found: HomeSearchResponse
}

export async function handleSearch(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof search.request>,
  now: number,
): Promise<Response> {
  const { start_ts: start, end_ts: end, device_macs_to_include: devices, event_tags_to_include: tags, query } = input
  const limit = input.offset + SEARCH_LIMIT
  const homeQuery = { query, start, end, devices, tags, zone: input.zone, asIs: input.as_is, limit, now }
  if (end < start) throw badRequest('The end is before the start.')
  checkTimeSpan({ begin_time: start, end_time: end })
  if (!isTimeZone(input.zone)) throw badRequest('Unknown time zone.')
  const { userId } = access
  const homes = requireSearchableHomes(env, access, now)
  const homeResults = await Promise.all(
    homes.map(async (home): Promise<HomeResult> => {
      const requester = { userId, plans: home.plans, now }
      const found = await homeStub(env, home.home_id).search(requester, homeQuery)
      return { home, found: found as HomeSearchResponse }
    }),
  )
  const events = mergeMatches(homeResults, ({ found }) => found, limit)
  const closest = events.length > 0 ? [] : mergeMatches(homeResults, (found) => found.closest, NEAR_MISSES_MAX)
  const shownIds = new Set(events.map(({ place }) => place.event_id))
  const shownEvents = homeResults.map(({ home, found }): ShownEvents[number] => [
    home.home_id,
    found.found.map(({ place }) => place.event_id).filter((id) => shownIds.has(id)),
  ])
  const all = homeResults.reduce((sum, { found }) => sum + found.total, 0)
  const total = Math.min(SEARCH_TOTAL_MAX, all)
  const query_id = createQueryId(userId, query)
  storeSearchInBackground(env, userId, { query_id, query, found: total, shown: shownEvents }, now)
  return createSearchResponse({
    query_id: JSON.stringify(query_id),
    events: joinMatches(events.slice(input.offset)),
    total: JSON.stringify(total),
    closest: joinMatches(closest),
    said: JSON.stringify(mergeInterpretations(homeResults)),
    coverage: JSON.stringify(sumCoverage(homeResults, now)),
  })
}

/** Returns the response of a search. `fields`: JSON text of each field. */
const createSearchResponse = (fields: Record<keyof InferOutput<typeof search.response>['data'], string>): Response =>
  createDataResponse(
    `{${Object.entries(fields)
      .map(([name, json]) => `"${name}":${json}`)
      .join(',')}}`,
  )

const joinMatches = (matches: readonly MatchText[]): string => `[${matches.map(({ json }) => json).join(',')}]`

/** Stores a search in the account's history after the response. Reports a failure without failing the request. */
function storeSearchInBackground(env: Env, userId: string, search: StoredSearch, now: number): void {
  const write = runHistoryWrite(userId, () => storeSearch(env.DB, userId, search, now))
  waitUntil(
    write.catch((error: unknown) => {
      console.error(JSON.stringify({ at: 'search history', error: String(error) }))
      reportTaskFailure(env, 'search history', error instanceof Error ? error : new Error(String(error)), now)
    }),
  )
}

function mergeMatches(
  homeResults: readonly HomeResult[],
  getMatches: (found: HomeSearchResponse) => MatchText[],
  limit: number,
) {
  const all = homeResults.flatMap(({ found }) => getMatches(found))
  if (homeResults.length > 1) all.sort((a, b) => compareHits(a.place, b.place))
  return all.slice(0, limit)
}

/**
 * Merges query interpretations. Keeps an unmatched term, correction, unknown word or house area only if all homes
 * report it.
 */
function mergeInterpretations(homeResults: readonly HomeResult[]): QueryInterpretation {
  const [first, ...others] = homeResults.map(({ found }) => found.said)
  if (!first) return { nowhere: [], instead: [], without: [], places: [], unknown: [], cameras: [], scope_only: false }
  const listCommon = (of: (interpretation: QueryInterpretation) => readonly string[]) =>
    of(first).filter((words) => others.every((interpretation) => of(interpretation).includes(words)))
  const isInstead = (words: string) =>
    others.every(({ instead }) => instead.some((correction) => correction.asked === words))
  return {
    nowhere: listCommon(({ nowhere }) => nowhere),
    instead: first.instead.filter(({ asked: original }) => isInstead(original)),
    without: first.without,
    places: listCommon(({ places }) => places),
    unknown: listCommon(({ unknown }) => unknown),
    cameras: mergeNamedCameras(homeResults.flatMap(({ found }) => found.said.cameras)),
    scope_only: homeResults.some(({ found }) => found.said.scope_only),
  }
}

/** Merges the cameras of several homes that the same words name. */
const mergeNamedCameras = (cameras: QueryInterpretation['cameras']): QueryInterpretation['cameras'] =>
  [...Map.groupBy(cameras, ({ said: phrase }) => phrase)].map(([phrase, named]) => ({
    said: phrase,
    device_ids: named.flatMap(({ device_ids }) => device_ids),
  }))

const getSearchedDays = (home: HomeWithPlans, now: number) =>
  Math.max(...listEntitlements(home, now).map(({ search, keepsDays }) => (search ? keepsDays : 0)))

function sumCoverage(homeResults: readonly HomeResult[], now: number): SearchCoverageCounts {
  const sum = (name: 'clips' | 'searched' | 'arriving' | 'waiting' | 'undescribed') =>
    homeResults.reduce((total, { found }) => total + found.coverage[name], 0)
  const left = homeResults.flatMap(({ found }) => found.coverage.left_out ?? [])
  return {
    clips: sum('clips'),
    searched: sum('searched'),
    arriving: sum('arriving'),
    waiting: sum('waiting'),
    undescribed: sum('undescribed'),
    kept_since: getRetentionStart(Math.max(...homeResults.map(({ home }) => getSearchedDays(home, now))), now),
    ...(left.length > 0 && {
      left_out: {
        before: Math.max(...left.map(({ before }) => before)),
        clips: left.reduce((total, { clips }) => total + clips, 0),
      },
    }),
  }
}
