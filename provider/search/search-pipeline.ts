import type { SqlStorage } from '@cloudflare/workers-types'
import type { Coverage, Said } from '../../contract/search/search-calls.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import { camerasOf, narrowed, type View, viewBegins } from '../billing/plans/event-visibility.ts'
import { Finder } from './match-finder.ts'
import { coverageOf } from './index/search-coverage-rows.ts'
import { type Budget, ROWS_MAX } from './index/index-scan.ts'
import { type Question, questionIn } from './query/correct-query.ts'
import type { Placed } from './ranking/match-weights.ts'
import { type PlacedMatch, receiptsOf } from './ranking/match-explanations.ts'
import * as rows from './index/search-rows.ts'
import { type NamedCamera, wordsKey } from './query/parse-query.ts'
import { whenIn } from './query/time-filter.ts'

/** A question for one home. */
export interface HomeQuery {
  readonly query: string
  /** None: every camera that the account sees. */
  readonly devices: readonly string[]
  /** None: any kind of event. */
  readonly tags: readonly string[]
  /** ms UTC. */
  readonly start: number
  readonly end: number
  /** By whose clock the question names times (IANA), and when it is asked, ms UTC. */
  readonly zone?: string
  readonly now?: number
  /** No word is taken for a slip of another. */
  readonly asIs?: boolean
}

export interface HomeFound {
  readonly found: PlacedMatch[]
  /** How many there are, counted up to `TOTAL_MAX`. */
  readonly total: number
  readonly closest: PlacedMatch[]
  readonly said: Said
  readonly coverage: Omit<Coverage, 'kept_since'>
}

const timeOf = ({ query, start, end, zone = 'UTC', now = Date.now() }: Omit<HomeQuery, 'devices' | 'tags'>) =>
  whenIn(query, { start, end }, zone, now)

/** What these cameras have seen of what is asked, as far as the view shows it, best first. */
export async function findInHome(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  asked: HomeQuery,
  view: View,
  { people = [], budget = { left: ROWS_MAX, slices: 0 } }: { people?: readonly NamedPerson[]; budget?: Budget } = {},
): Promise<HomeFound> {
  const ids = cameras.map(({ device_id }) => device_id)
  const devices = asked.devices.length === 0 ? ids : ids.filter((id) => asked.devices.includes(id))
  const shown = narrowed(view, devices)
  const when = timeOf(asked)
  const start = Math.max(when.start, shown.length > 0 ? viewBegins(shown) : 0)
  const scope = { ...rows.scopeOf(sql, shown), tags: asked.tags, start, end: when.end }
  const covered = { ...scope, now: asked.now ?? Date.now() }
  const question = questionIn(sql, when.rest, { cameras, people }, { asIs: asked.asIs ?? false })
  const isEmpty = question.concepts.length + question.not.length === 0 && when.said === ''
  const said = saidOf(question, isEmpty ? when.rest : '')
  if (isEmpty || question.places.length > 0 || shown.length === 0 || start > when.end) {
    return { found: [], total: 0, closest: [], said, coverage: await coverageOf(sql, covered, null) }
  }
  const { concepts, not } = question
  const finder = new Finder(sql, { concepts, not, scope, isThen: when.isThen, words: wordsKey(asked.query) }, budget)
  const { found, closest, total, since, nowhere } = await finder.find({ isNear: true })
  const receipts = (placed: readonly Placed[]) => receiptsOf(sql, question, { cameras, view }, placed)
  return {
    ...{ found: receipts(found), closest: receipts(closest), total },
    said: { ...said, nowhere: nowhere.map((concept) => concept.said) },
    coverage: await coverageOf(sql, covered, since),
  }
}

/** Whether `findInHome` would find anything; what came nearest and what was searched is not counted. */
export async function findsAny(
  sql: SqlStorage,
  known: Parameters<typeof questionIn>[2],
  asked: Omit<HomeQuery, 'devices'>,
  view: View,
  budget: Budget,
): Promise<boolean> {
  const { rest, isThen, start, end } = timeOf(asked)
  const { concepts, not } = questionIn(sql, rest, known, { asIs: false })
  if (concepts.length === 0 || camerasOf(view).length === 0) return false
  const scope = { ...rows.scopeOf(sql, view), tags: asked.tags, start, end }
  const finder = new Finder(sql, { concepts, not, scope, isThen, words: wordsKey(asked.query) }, budget)
  const { found } = await finder.find({ isNear: false })
  return found.length > 0
}

/** `all`: the whole question, where nothing is left of it to look for. */
const saidOf = ({ not, places, instead, unknown }: Question, all: string): Said => ({
  nowhere: [],
  instead: [...instead],
  without: not.map(({ said }) => said),
  places: [...places],
  unknown: all !== '' && unknown.length + places.length === 0 ? [all] : [...unknown],
})
