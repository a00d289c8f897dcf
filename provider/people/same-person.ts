import type { SqlStorage } from '@cloudflare/workers-types'
import type { HomePerson, SamePersonSuggestion } from '../../contract/events/people.ts'
import { lenientStrings, parseJsonAs } from '../../contract/wire/lenient-parse.ts'
import type { EventVisibility } from '../billing/plans/event-visibility.ts'
import { listDeviceRows } from '../homes/devices/device-rows.ts'
import { listDifferentPairs } from './different-people-rows.ts'
import { type PersonRow, toPersonId } from './people-rows.ts'
import { toPersonToken } from './person-token.ts'
import { hasClipOfBoth, listPeopleClips } from './same-person-rows.ts'
import { listSharedVisits, type PeopleClip } from './shared-visits.ts'

const MIN_SHARED_VISITS = 2
/** Limits of one response (docs/decisions/0037-bounded-work-per-home.md). */
const MAX_SUGGESTIONS = 3
const MAX_COMPARED_PEOPLE = 200
const MAX_READ_CLIPS = 2000
/** Maximum number of pairs for which one response searches for a clip of both people. */
const MAX_CHECKED_PAIRS = 20
/** Clips with more people do not count, so that the number of pairs per clip is limited. */
const MAX_PEOPLE_PER_CLIP = 10

/** Person who is compared with others. `tokens`: tokens of the person and of everyone merged into the person. */
interface Candidate {
  readonly person: HomePerson
  readonly row: PersonRow
  readonly tokens: readonly string[]
}

/** `into`: the person whose name would stay. `visits`: number of shared visits. `cameras`: ids, most visits first. */
interface CandidatePair {
  readonly into: Candidate
  readonly other: Candidate
  readonly visits: number
  readonly cameras: readonly string[]
}

/**
 * Suggests pairs that may be one person: their clips are part of at least `MIN_SHARED_VISITS` visits, no clip shows
 * both, and the owner has not marked them as different. Never pairs two named people or a hidden person. `people`:
 * people of the home in the order of the response.
 */
export function suggestSamePeople(
  sql: SqlStorage,
  visibility: EventVisibility,
  people: readonly HomePerson[],
  rows: readonly PersonRow[],
): SamePersonSuggestion[] {
  const candidates = listCandidates(people, rows)
  if (candidates.length < 2 || candidates.every(({ person }) => person.named)) return []
  const differentKeys = listDifferentKeys(sql, rows)
  const pairs = listCandidatePairs(candidates, readClips(sql, visibility, candidates))
    .filter(({ into, other }) => !differentKeys.has(toPairKey(into.row.person, other.row.person)))
    .slice(0, MAX_CHECKED_PAIRS)
  const found: CandidatePair[] = []
  for (const pair of pairs)
    if (found.length < MAX_SUGGESTIONS && !hasClipOfBoth(sql, pair.into.tokens, pair.other.tokens)) found.push(pair)
  return toSuggestions(sql, found)
}

function listCandidates(people: readonly HomePerson[], rows: readonly PersonRow[]): Candidate[] {
  const rowsById = new Map(rows.map((row) => [toPersonId(row.person), row]))
  return people
    .filter(({ hidden, events }) => !hidden && events >= MIN_SHARED_VISITS)
    .slice(0, MAX_COMPARED_PEOPLE)
    .flatMap((person) => {
      const row = rowsById.get(person.person_id)
      return row ? [{ person, row, tokens: row.members.map(toPersonToken) }] : []
    })
}

/** Reads the newest clips of the candidates. Each number in `people` is the position of a candidate. */
function readClips(sql: SqlStorage, visibility: EventVisibility, candidates: readonly Candidate[]): PeopleClip[] {
  const positions = new Map(candidates.flatMap(({ tokens }, i) => tokens.map((token) => [token, i] as const)))
  return listPeopleClips(sql, visibility, [...positions.keys()], MAX_READ_CLIPS)
    .map(({ device_id: camera, begin, end, labels }) => {
      const matches = (parseJsonAs(lenientStrings, labels) ?? []).flatMap((label) => positions.get(label) ?? [])
      return { camera, begin, end, people: [...new Set(matches)] }
    })
    .filter(({ people }) => people.length <= MAX_PEOPLE_PER_CLIP)
}

/** Returns the pairs with enough shared visits, except two named people. Most visits first. */
function listCandidatePairs(candidates: readonly Candidate[], clips: readonly PeopleClip[]): CandidatePair[] {
  return listSharedVisits(clips)
    .toSorted((x, y) => x.a - y.a || x.b - y.b)
    .flatMap(({ a, b, visits: visitsByCamera }): CandidatePair[] => {
      const [into, other] = [candidates[a], candidates[b]]
      const visits = [...visitsByCamera.values()].reduce((sum, count) => sum + count, 0)
      if (!into || !other || other.person.named || visits < MIN_SHARED_VISITS) return []
      const cameras = [...visitsByCamera].toSorted(([, x], [, y]) => y - x).map(([camera]) => camera)
      return [{ into, other, visits, cameras }]
    })
    .toSorted((x, y) => y.visits - x.visits)
}

const toPairKey = (person: number, other: number): string => `${Math.min(person, other)} ${Math.max(person, other)}`

/** Returns the keys of the different people. A merged person counts as the person whose name its clips show. */
function listDifferentKeys(sql: SqlStorage, rows: readonly PersonRow[]): ReadonlySet<string> {
  const roots = new Map(rows.flatMap(({ person, members }) => members.map((member) => [member, person] as const)))
  const toRoot = (person: number) => roots.get(person) ?? person
  return new Set(listDifferentPairs(sql).map(({ person, other }) => toPairKey(toRoot(person), toRoot(other))))
}

function toSuggestions(sql: SqlStorage, pairs: readonly CandidatePair[]): SamePersonSuggestion[] {
  const names = new Map(listDeviceRows(sql).map(({ device_id, nickname }) => [device_id, nickname]))
  return pairs.map(({ into, other, visits, cameras }) => ({
    person_id: other.person.person_id,
    into: into.person.person_id,
    visits,
    cameras: cameras.flatMap((camera) => names.get(camera) ?? []),
  }))
}
