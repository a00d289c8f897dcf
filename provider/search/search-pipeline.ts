import type { SqlStorage } from '@cloudflare/workers-types'
import type { SearchCoverageCounts, QueryInterpretation } from '../../contract/search/search-calls.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import {
  listVisibleCameras,
  limitVisibility,
  type EventVisibility,
  getVisibilityStart,
} from '../billing/plans/event-visibility.ts'
import { MatchFinder } from './match-finder.ts'
import { countCoverage } from './index/search-coverage-rows.ts'
import { type ScanBudget, SCAN_ENTRIES_MAX } from './index/index-scan.ts'
import { type CorrectedQuery, parseAndCorrectQuery } from './query/correct-query.ts'
import type { RankedHit } from './ranking/match-weights.ts'
import { type RankedMatch, explainMatches } from './ranking/match-explanations.ts'
import * as rows from './index/search-rows.ts'
import { type NamedCamera, toFeedbackKey } from './query/parse-query.ts'
import { parseQueryTime } from './query/time-filter.ts'

export interface HomeQuery {
  readonly query: string
  /** Ids of the cameras to search. An empty list means all visible cameras. */
  readonly devices: readonly string[]
  /** Tags of the events to find. An empty list means any event. */
  readonly tags: readonly string[]
  /** Time range to search, ms UTC. */
  readonly start: number
  readonly end: number
  /** `zone`: IANA time zone of the times in the query. `now`: time of the request, ms UTC. */
  readonly zone?: string
  readonly now?: number
  /** True to turn off the spelling correction. */
  readonly asIs?: boolean
  /** Maximum number of matches to return. */
  readonly limit?: number
}

export interface HomeSearchResult {
  readonly found: RankedMatch[]
  /** Number of matches, counted up to `SEARCH_TOTAL_MAX`. */
  readonly total: number
  readonly closest: RankedMatch[]
  readonly said: QueryInterpretation
  readonly coverage: Omit<SearchCoverageCounts, 'kept_since'>
}

/** Match as JSON text with names, and the values that determine its rank. */
export interface MatchText {
  readonly json: string
  readonly place: RankedHit
}

/** Search result of a home. Only the browser reads the matches, so the Worker gets them as text. */
export interface HomeSearchResponse extends Omit<HomeSearchResult, 'found' | 'closest'> {
  readonly found: MatchText[]
  readonly closest: MatchText[]
}

const parseTimeFilter = ({ query, start, end, zone = 'UTC', now = Date.now() }: Omit<HomeQuery, 'devices' | 'tags'>) =>
  parseQueryTime(query, { start, end }, zone, now)

/** Searches these cameras for events that `visibility` makes visible. Returns the best matches first. */
export async function searchHome(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  homeQuery: HomeQuery,
  visibility: EventVisibility,
  {
    people = [],
    budget = { left: SCAN_ENTRIES_MAX, slices: 0 },
  }: { people?: readonly NamedPerson[]; budget?: ScanBudget } = {},
): Promise<HomeSearchResult> {
  const ids = cameras.map(({ device_id }) => device_id)
  const devices = homeQuery.devices.length === 0 ? ids : ids.filter((id) => homeQuery.devices.includes(id))
  const searchedVisibility = limitVisibility(visibility, devices)
  const timeFilter = parseTimeFilter(homeQuery)
  const start = Math.max(timeFilter.start, searchedVisibility.length > 0 ? getVisibilityStart(searchedVisibility) : 0)
  const scope = { ...rows.toScope(sql, searchedVisibility), tags: homeQuery.tags, start, end: timeFilter.end }
  const coverageScope = { ...scope, now: homeQuery.now ?? Date.now() }
  const options = { asIs: homeQuery.asIs ?? false }
  const correctedQuery = parseAndCorrectQuery(sql, timeFilter.rest, { cameras, people }, options)
  const isEmpty = correctedQuery.concepts.length + correctedQuery.not.length === 0 && timeFilter.said === ''
  const interpretation = {
    ...toInterpretation(correctedQuery, isEmpty ? timeFilter.rest : ''),
    scope_only: !isEmpty && namesOnlyScope(correctedQuery),
  }
  if (isEmpty || correctedQuery.places.length > 0 || searchedVisibility.length === 0 || start > timeFilter.end) {
    return {
      found: [],
      total: 0,
      closest: [],
      said: interpretation,
      coverage: await countCoverage(sql, coverageScope, null),
    }
  }
  const { concepts, not } = correctedQuery
  const finder = new MatchFinder(
    sql,
    { concepts, not, scope, isInQueryHours: timeFilter.isInQueryHours, words: toFeedbackKey(homeQuery.query) },
    budget,
  )
  const { found, closest, total, since, nowhere } = await finder.find({ isNear: true, limit: homeQuery.limit })
  const details = { cameras, view: visibility }
  const explain = (hits: readonly RankedHit[]) => explainMatches(sql, correctedQuery, details, hits)
  return {
    found: explain(found),
    closest: explain(closest),
    total,
    said: { ...interpretation, nowhere: nowhere.map((concept) => concept.said) },
    coverage: await countCoverage(sql, coverageScope, since),
  }
}

/**
 * Returns true if a visible event matches the query. Skips near misses and search coverage. Returns false for a query
 * that contains only exclusions or times.
 */
export async function hasMatch(
  sql: SqlStorage,
  names: Parameters<typeof parseAndCorrectQuery>[2],
  homeQuery: Omit<HomeQuery, 'devices'>,
  visibility: EventVisibility,
  budget: ScanBudget,
): Promise<boolean> {
  const { rest, isInQueryHours, start, end } = parseTimeFilter(homeQuery)
  const { concepts, not } = parseAndCorrectQuery(sql, rest, names, { asIs: false })
  if (concepts.length === 0 || listVisibleCameras(visibility).length === 0) return false
  const scope = { ...rows.toScope(sql, visibility), tags: homeQuery.tags, start, end }
  const finder = new MatchFinder(
    sql,
    { concepts, not, scope, isInQueryHours, words: toFeedbackKey(homeQuery.query) },
    budget,
  )
  const { found } = await finder.find({ isNear: false })
  return found.length > 0
}

/**
 * Builds the query interpretation. `all`: the whole query if it contains no concept, exclusion or time, else ''.
 * Reports `all` as unknown if the query has neither unknown words nor house areas that no camera shows.
 */
const toInterpretation = (
  { concepts, not, places, instead, unknown }: CorrectedQuery,
  all: string,
): Omit<QueryInterpretation, 'scope_only'> => ({
  nowhere: [],
  instead: [...instead],
  without: not.map(({ said: original }) => original),
  places: [...places],
  unknown: all !== '' && unknown.length + places.length === 0 ? [all] : [...unknown],
  cameras: concepts
    .filter(({ said: phrase, devices }) => phrase !== '' && devices.length > 0)
    .map(({ said: phrase, devices }) => ({ said: phrase, device_ids: [...devices] })),
})

/** Returns true if the query names nothing but cameras and times. */
const namesOnlyScope = ({ concepts, not, places, unknown }: CorrectedQuery): boolean =>
  not.length + places.length + unknown.length === 0 && concepts.every(({ devices }) => devices.length > 0)
