import { atom, computed } from 'nanostores'
import { type Match, search, TOTAL_MAX } from '../../../contract/search.ts'
import type { DataOf } from '../../api/client.ts'
import { request } from '../../api/client.ts'
import type { EventFilter } from '../../domain/event-filter.ts'
import { narrowed, questionOf, sortMatches } from '../../domain/search.ts'
import { $address } from '../events/event-address.ts'
import { TOO_LARGE } from '../events/event-loading.ts'
import { $events } from '../events/events.ts'
import { loadEventsByIds } from '../events/events-by-ids.ts'
import { type Failure, told } from '../shell/failures.ts'
import { onFeed } from '../home/feed.ts'
import { noteSearch } from './search-history.ts'
import { loadOnboarding } from './search-onboarding.ts'
import { changeSettings, sortOf } from './search-settings.ts'
import { $videoSearchSwitch } from '../session/session.ts'

export type SearchAnswer = DataOf<typeof search>

export type Search =
  | { readonly state: 'idle' }
  | { readonly state: 'searching'; readonly query: string }
  /** `asked`: from when to when, ms UTC. */
  | {
      readonly state: 'found'
      readonly query: string
      readonly answer: SearchAnswer
      readonly asked: { readonly begin: number; readonly end: number }
    }
  /** `isTooLarge`: fewer days would do. */
  | { readonly state: 'failed'; readonly query: string; readonly failure: Failure; readonly isTooLarge: boolean }

/** The search that the address names. */
export const $search = atom<Search>({ state: 'idle' })

/** Its results as they are sorted and narrowed (STORE-11). */
export const $videoSearchEvents = computed([$search, $address], (found, address): readonly Match[] =>
  found.state === 'found' ? sortMatches(narrowed(found.answer.events, address.filter), sortOf(address)) : [],
)

/** So many answers are kept for Back and Forward. */
const KEPT_MAX = 10
const answers = new Map<string, Extract<Search, { state: 'found' }>>()
let shown = ''
let ending: AbortController | null = null

/** Asks what the address says, once it is known that the account searches. Ends with the returned function. */
export function followSearch(): () => void {
  const stops = [
    $address.subscribe(look),
    $videoSearchSwitch.listen(look),
    onFeed((message) => message.type === 'removed' && forget(message.event_ids)),
  ]
  return () => {
    stops.forEach((stop) => stop())
    stopAsking()
  }
}

/** Asks the same again. */
export function askAgain(): void {
  answers.delete(shown)
  shown = ''
  look()
}

function look(): void {
  const { search: query, filter } = $address.get()
  if (query === undefined || !$videoSearchSwitch.get()) return
  if (query === '') {
    stopAsking()
    shown = ''
    return $search.set({ state: 'idle' })
  }
  const key = keyOf(query, filter)
  if (key === shown) return
  stopAsking()
  shown = key
  const known = answers.get(key)
  if (!known) return void ask(key, query, filter)
  $search.set(known)
  void refresh(key)
}

/** People and seen are looked at here: they make no other question. */
const keyOf = (query: string, { range, cameras, kinds, tags }: EventFilter) =>
  JSON.stringify([query, range, cameras, kinds, tags])

function stopAsking(): void {
  ending?.abort()
  ending = null
  if ($search.get().state === 'searching') {
    shown = ''
    $search.set({ state: 'idle' })
  }
}

async function ask(key: string, query: string, filter: EventFilter): Promise<void> {
  const mine = new AbortController()
  ending = mine
  $search.set({ state: 'searching', query })
  const question = questionOf(query, filter, Date.now())
  const answer = await told('place', request(search, question, { signal: mine.signal }))
  if (mine.signal.aborted) return
  ending = null
  if (!answer.ok) {
    shown = ''
    $search.set({ state: 'failed', query, failure: answer, isTooLarge: answer.code === TOO_LARGE })
    // The plan or the enrolment may have ended elsewhere: then the dialog says so.
    return answer.status === 403 ? loadOnboarding(true) : undefined
  }
  const { query_id, total } = answer.data
  const asked = { begin: question.start_ts, end: question.end_ts }
  keep(key, { state: 'found', query, answer: answer.data, asked })
  noteSearch({ query_id, query, at: Date.now(), found: total })
  changeSettings({ isFirst: false })
  void refresh(key)
}

/** Results that the list of events does not hold are asked for by their ids: they may be gone, or have changed, by now. */
async function refresh(key: string): Promise<void> {
  const list = $events.get()
  const held = new Set(list.state === 'ready' ? list.events.map(({ event_id }) => event_id) : [])
  const ids = answers.get(key)?.answer.events.map(({ event }) => event.event_id) ?? []
  const unheld = ids.filter((id) => !held.has(id))
  const answer = unheld.length > 0 && (await loadEventsByIds(unheld))
  if (!answer || !answer.ok) return
  const fresh = new Map(answer.data.map((event) => [event.event_id, event]))
  forget(unheld.filter((id) => !fresh.has(id)))
  change(key, (matches) =>
    matches.map((match) => ({ ...match, event: fresh.get(match.event.event_id) ?? match.event })),
  )
}

function keep(key: string, found: Extract<Search, { state: 'found' }>): void {
  answers.delete(key)
  answers.set(key, found)
  const [oldest] = answers.keys()
  if (answers.size > KEPT_MAX && oldest !== undefined) answers.delete(oldest)
  $search.set(found)
}

/** Takes deleted events off the results. */
function forget(ids: readonly string[]): void {
  if (ids.length === 0) return
  const still = (matches: readonly Match[]) => matches.filter(({ event }) => !ids.includes(event.event_id))
  for (const key of answers.keys()) change(key, still)
}

/** Changes the results of one question; those that go are not counted any more. */
function change(key: string, next: (matches: readonly Match[]) => Match[]): void {
  const found = answers.get(key)
  if (!found) return
  const { events, closest, total } = found.answer
  const left = next(events)
  const counted = total === TOTAL_MAX ? total : total - events.length + left.length
  const changed = { ...found, answer: { ...found.answer, events: left, total: counted, closest: next(closest) } }
  answers.set(key, changed)
  if (key === shown && $search.get() === found) $search.set(changed)
}
