import { atom, type ReadableAtom } from 'nanostores'
import type { Event } from '../../contract/events.ts'
import type { FeedMessage } from '../../contract/feed.ts'
import type { RequestFailure } from '../api/result.ts'
import { newestDay, type Span } from '../domain/date-range.ts'
import { markReviewed, mergeEvents } from '../domain/event-list.ts'
import { applyToEvents } from './event-feed.ts'
import { type Ask, type Loaded, loadSpan, TOO_LARGE } from './event-loading.ts'

/** What keeps the list from being whole. `covered` is the part that did fit when the range was too large. */
export type Shortfall =
  | { readonly kind: 'too-large'; readonly covered: Span }
  | { readonly kind: 'older-missing'; readonly code: string }

export type EventListState =
  | { readonly state: 'loading' }
  /** `filling`: the newest day is here, older ones are on their way. Newest first. */
  | { readonly state: 'ready'; readonly events: readonly Event[]; readonly filling: boolean; readonly shortfall: Shortfall | null }
  | { readonly state: 'failed'; readonly code: string; readonly msg: string }

export interface EventList {
  readonly $list: ReadableAtom<EventListState>
  /** Shows the events of a span; `quiet` keeps what is on the screen until the answer is there. */
  load(span: Span, options?: { quiet?: boolean; first?: ReturnType<Ask> | null }): Promise<void>
  hear(message: FeedMessage): void
  /** Marks events as seen on this page. */
  markSeen(ids: readonly string[]): void
}

/** Clips end, are cut and sent before an event is told: events that began this long before may still be on their way. */
const UNDER_WAY_MS = 600_000

/** The list of events of one page: loads it in two parts, follows the feed, catches up after a break. */
export function createEventList({ ask, now, accepts }: { ask: Ask; now: () => number; accepts: (event: Event) => boolean }): EventList {
  const $list = atom<EventListState>({ state: 'loading' })
  let span: Span = { begin: 0, end: 0 }
  let turn = 0
  let heardAt = 0
  /** Told by the feed while a question was open: its answer may not hold them yet. */
  let early: Event[] = []
  let owesCatchUp = false
  /** Seen on this page: an answer that was under way at that moment does not know it yet. */
  const seen: string[] = []

  function show(events: readonly Event[], filling: boolean, shortfall: Shortfall | null): void {
    $list.set({ state: 'ready', events: markReviewed(mergeEvents(events, early), seen), filling, shortfall })
  }

  function change(update: (events: readonly Event[]) => readonly Event[]): void {
    const list = $list.get()
    if (list.state !== 'ready') return
    const events = update(list.events)
    if (events !== list.events) $list.set({ ...list, events })
  }

  async function load(next: Span, { quiet = false, first = null }: { quiet?: boolean; first?: ReturnType<Ask> | null } = {}): Promise<void> {
    const mine = ++turn
    span = next
    heardAt = now()
    early = []
    if (!quiet) $list.set({ state: 'loading' })
    const { newest, rest } = newestDay(next)
    const older = rest && loadSpan(ask, rest)
    const newer = await loadSpan(startingWith(first, ask), newest)
    if (mine !== turn) return
    if (!newer.ok) return quiet ? undefined : fail(newer)
    if (older && newer.events.length > 0 && !quiet) show(newer.events, true, null)
    const rests = older && (await older)
    if (mine !== turn) return
    const { events, shortfall } = whole(newer, newest, rests, rest)
    show(events, false, shortfall)
    if (owesCatchUp) await catchUp()
  }

  function fail({ code, msg }: RequestFailure): void {
    $list.set({ state: 'failed', code, msg })
  }

  /** What was told between the last word and now, as the provider knows it; replaces that part of the list. */
  async function catchUp(): Promise<void> {
    const list = $list.get()
    owesCatchUp = list.state === 'loading' || (list.state === 'ready' && list.filling)
    if (owesCatchUp) return
    if (list.state === 'failed') return load(span)
    const mine = turn
    early = []
    const since = { begin: Math.max(span.begin, heardAt - UNDER_WAY_MS), end: Math.max(span.end, now()) }
    const answer = await loadSpan(ask, since)
    if (mine !== turn || !answer.ok) return
    const { begin } = answer.covered
    change((events) => markReviewed(mergeEvents(events.filter((event) => event.event_ts < begin), [...answer.events, ...early]), seen))
  }

  function hearEvent(event: Event): boolean {
    if (event.event_ts < span.begin || !accepts(event)) return false
    early.push(event)
    return true
  }

  return {
    $list,
    load,
    hear(message) {
      if (message.type === 'hello') void catchUp()
      if (message.type === 'access') void load(span, { quiet: true })
      heardAt = now()
      if (message.type === 'event' && !hearEvent(message.event)) return
      if (message.type === 'removed') early = early.filter((event) => !message.event_ids.includes(event.event_id))
      change((events) => applyToEvents(events, message))
    },
    markSeen(ids) {
      seen.push(...ids)
      change((events) => markReviewed(events, ids))
    },
  }
}

function startingWith(first: ReturnType<Ask> | null, ask: Ask): Ask {
  let once = first
  return (span) => {
    const answer = once ?? ask(span)
    once = null
    return answer
  }
}

type Whole = Extract<Loaded, { ok: true }>

function whole(newer: Whole, newest: Span, older: Loaded | null, rest: Span | null): { events: Event[]; shortfall: Shortfall | null } {
  if (newer.covered.begin > newest.begin) return { events: newer.events, shortfall: { kind: 'too-large', covered: newer.covered } }
  if (!older || !rest) return { events: newer.events, shortfall: null }
  if (!older.ok) return { events: newer.events, shortfall: missing(older.code, newest) }
  const covered = { begin: older.covered.begin, end: newest.end }
  const short = older.covered.begin > rest.begin
  return { events: mergeEvents(older.events, newer.events), shortfall: short ? { kind: 'too-large', covered } : null }
}

function missing(code: string, covered: Span): Shortfall {
  return code === TOO_LARGE ? { kind: 'too-large', covered } : { kind: 'older-missing', code }
}
