import type { SqlStorage } from '@cloudflare/workers-types'
import type { SearchCoverageCounts, QueryInterpretation } from '../../contract/search/search-calls.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import {
  listVisibleCameras,
  limitVisibility,
  type EventVisibility,
  viewBegins,
} from '../billing/plans/event-visibility.ts'
import { MatchFinder } from './match-finder.ts'
import { countCoverage } from './index/search-coverage-rows.ts'
import { type Budget, SCAN_ROWS_MAX } from './index/index-scan.ts'
import { type CorrectedQuery, questionIn } from './query/correct-query.ts'
import type { Placed } from './ranking/match-weights.ts'
import { type PlacedMatch, explainMatches } from './ranking/match-explanations.ts'
import * as rows from './index/search-rows.ts'
import { type NamedCamera, wordsKey } from './query/parse-query.ts'
import { whenIn } from './query/time-filter.ts'

export interface HomeQuery {
  readonly query: string
  /** Ids of the cameras to search; empty: every camera that the account may see. */
  readonly devices: readonly string[]
  /** Tags of the events to find; empty: events with any tag. */
  readonly tags: readonly string[]
  /** Time range to search, ms UTC. */
  readonly start: number
  readonly end: number
  /** Time zone (IANA) of times in the query, and the time of the request, ms UTC. */
  readonly zone?: string
  readonly now?: number
  /** Turns off the spelling correction. */
  readonly asIs?: boolean
}

export interface HomeSearchResult {
  readonly found: PlacedMatch[]
  /** Number of matches, counted up to `TOTAL_MAX`. */
  readonly total: number
  readonly closest: PlacedMatch[]
  readonly said: QueryInterpretation
  readonly coverage: Omit<SearchCoverageCounts, 'kept_since'>
}

const parseTimeFilter = ({ query, start, end, zone = 'UTC', now = Date.now() }: Omit<HomeQuery, 'devices' | 'tags'>) =>
  whenIn(query, { start, end }, zone, now)

/** Searches these cameras, limited to the events that `view` makes visible. Returns the best matches first. */
export async function findInHome(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  homeQuery: HomeQuery,
  view: EventVisibility,
  {
    people = [],
    budget = { left: SCAN_ROWS_MAX, slices: 0 },
  }: { people?: readonly NamedPerson[]; budget?: Budget } = {},
): Promise<HomeSearchResult> {
  const ids = cameras.map(({ device_id }) => device_id)
  const devices = homeQuery.devices.length === 0 ? ids : ids.filter((id) => homeQuery.devices.includes(id))
  const searchedView = limitVisibility(view, devices)
  const when = parseTimeFilter(homeQuery)
  const start = Math.max(when.start, searchedView.length > 0 ? viewBegins(searchedView) : 0)
  const scope = { ...rows.toScope(sql, searchedView), tags: homeQuery.tags, start, end: when.end }
  const covered = { ...scope, now: homeQuery.now ?? Date.now() }
  const question = questionIn(sql, when.rest, { cameras, people }, { asIs: homeQuery.asIs ?? false })
  const isEmpty = question.concepts.length + question.not.length === 0 && when.said === ''
  const interpretation = toInterpretation(question, isEmpty ? when.rest : '')
  if (isEmpty || question.places.length > 0 || searchedView.length === 0 || start > when.end) {
    return { found: [], total: 0, closest: [], said: interpretation, coverage: await countCoverage(sql, covered, null) }
  }
  const { concepts, not } = question
  const finder = new MatchFinder(
    sql,
    { concepts, not, scope, isThen: when.isThen, words: wordsKey(homeQuery.query) },
    budget,
  )
  const { found, closest, total, since, nowhere } = await finder.find({ isNear: true })
  const receipts = (placed: readonly Placed[]) => explainMatches(sql, question, { cameras, view }, placed)
  return {
    ...{ found: receipts(found), closest: receipts(closest), total },
    said: { ...interpretation, nowhere: nowhere.map((concept) => concept.said) },
    coverage: await countCoverage(sql, covered, since),
  }
}

/** Returns true if `findInHome` would find a match. Skips near misses and search coverage. */
export async function findsAny(
  sql: SqlStorage,
  names: Parameters<typeof questionIn>[2],
  homeQuery: Omit<HomeQuery, 'devices'>,
  view: EventVisibility,
  budget: Budget,
): Promise<boolean> {
  const { rest, isThen, start, end } = parseTimeFilter(homeQuery)
  const { concepts, not } = questionIn(sql, rest, names, { asIs: false })
  if (concepts.length === 0 || listVisibleCameras(view).length === 0) return false
  const scope = { ...rows.toScope(sql, view), tags: homeQuery.tags, start, end }
  const finder = new MatchFinder(sql, { concepts, not, scope, isThen, words: wordsKey(homeQuery.query) }, budget)
  const { found } = await finder.find({ isNear: false })
  return found.length > 0
}

/** `all`: the whole query if it contains no concept; the interpretation then reports it as unknown. */
const toInterpretation = ({ not, places, instead, unknown }: CorrectedQuery, all: string): QueryInterpretation => ({
  nowhere: [],
  instead: [...instead],
  without: not.map(({ said: original }) => original),
  places: [...places],
  unknown: all !== '' && unknown.length + places.length === 0 ? [all] : [...unknown],
})
