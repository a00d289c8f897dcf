import { atom } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import type { RequestFailure } from '../../api/result.ts'
import { newestDay, type Span } from '../../domain/time/date-range.ts'
import { markReviewed, mergeEvents, without } from '../../domain/events/event-list.ts'
import { applyToEvents } from './apply-feed-message.ts'
import { type Ask, type Loaded, loadSpan, TOO_LARGE } from './load-event-span.ts'

/** Reason why the list is incomplete. `covered`: the part of the range that loaded if the whole range was too large. */
export type Shortfall =
  | { readonly kind: 'too-large'; readonly covered: Span; readonly failure: RequestFailure }
  | { readonly kind: 'older-missing'; readonly failure: RequestFailure }

export type EventListState =
  | { readonly state: 'loading' }
  /** `events`: newest first. `filling`: the newest day has loaded, and older days are still loading. */
  | {
      readonly state: 'ready'
      readonly events: readonly Event[]
      readonly filling: boolean
      readonly shortfall: Shortfall | null
    }
  | { readonly state: 'failed'; readonly failure: RequestFailure }

export interface EventListDeps {
  readonly ask: Ask
  /** ms UTC */
  readonly now: () => number
  /** Returns true if an event that the feed delivers belongs in the view. */
  readonly accepts: (event: Event) => boolean
  /** Returns true if the view includes the present; a view of past days does not. */
  readonly isOpen: () => boolean
  /** Called with every failure to load the list, except that of a load that a newer load has replaced (OPEN-63). */
  readonly onFailure: (failure: RequestFailure) => void
}

interface LoadOptions {
  /** Keeps the current list visible until the response arrives. */
  readonly quiet?: boolean
}

/**
 * Assumed maximum time from the start of an event to its publication, ms. The clip is cut and uploaded first, so events
 * that started within this time may still arrive.
 */
const UNDER_WAY_MS = 600_000

class EventList {
  readonly $list = atom<EventListState>({ state: 'loading' })
  /**
   * Events loaded by a retry after a range was too large; kept apart from the list until the retry is complete
   * (STORE-10, OPEN-125).
   */
  readonly $recovery = atom<readonly Event[]>([])
  private readonly deps: EventListDeps
  private span: Span = { begin: 0, end: 0 }
  private turn = 0
  private heardAt = 0
  private owesCatchUp = false
  /** Events that the feed delivered while a request was in flight. The response may not contain them yet. */
  private early: Event[] = []
  /**
   * Reviewed marks and deletions made on this page. A response that was already in flight does not contain them yet.
   */
  private readonly marks = new Map<string, boolean>()
  private readonly deleted = new Set<string>()

  constructor(deps: EventListDeps) {
    this.deps = deps
  }

  /** Loads the events of a span: shows the newest day first, and the rest when it is complete. */
  async load(span: Span, { quiet = false }: LoadOptions = {}): Promise<void> {
    const mine = this.startTurn(span)
    if (!quiet) this.$list.set({ state: 'loading' })
    const { newest, rest } = newestDay(span)
    const older = rest && loadSpan(this.deps.ask, rest, (events) => this.$recovery.set(events))
    const newer = await loadSpan(this.deps.ask, newest, (events) => this.$recovery.set(events))
    if (mine !== this.turn) return
    if (!newer.ok) {
      if (!quiet || this.$list.get().state !== 'ready') this.$list.set({ state: 'failed', failure: newer })
      return this.deps.onFailure(newer)
    }
    if (older && newer.events.length > 0 && !quiet) this.show(newer.events, true, null)
    const olders = older && (await older)
    if (mine !== this.turn) return
    const { events, shortfall } = whole(newer, newest, olders, rest)
    this.show(events, false, shortfall)
    if (shortfall) this.deps.onFailure(shortfall.failure)
    if (this.owesCatchUp) await this.catchUp()
  }

  hear(message: FeedMessage): void {
    if (message.type === 'hello') void this.catchUp()
    if (message.type === 'access' || message.type === 'people') void this.load(this.span, { quiet: true })
    this.heardAt = this.deps.now()
    if (message.type === 'event' && !this.takesIn(message.event)) return
    if (message.type === 'removed') this.early = [...without(this.early, message.event_ids)]
    if (message.type === 'reviewed') for (const id of message.event_ids) this.marks.delete(id)
    this.change((events) => applyToEvents(events, message))
  }

  mark(ids: readonly string[], reviewed: boolean): void {
    for (const id of ids) this.marks.set(id, reviewed)
    this.change((events) => markReviewed(events, ids, reviewed))
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.deleted.add(id)
    this.change((events) => without(events, ids))
  }

  bringBack(events: readonly Event[]): void {
    for (const { event_id } of events) this.deleted.delete(event_id)
    this.change((current) => mergeEvents(current, events))
  }

  private startTurn(span: Span): number {
    this.span = span
    this.heardAt = this.deps.now()
    this.early = []
    return ++this.turn
  }

  private takesIn(event: Event): boolean {
    if (event.event_ts < this.span.begin || !this.deps.accepts(event)) return false
    this.deleted.delete(event.event_id)
    this.early.push(event)
    return true
  }

  /** Reloads the events since shortly before the last feed message, and replaces that part of the list. */
  private async catchUp(): Promise<void> {
    const list = this.$list.get()
    this.owesCatchUp = list.state === 'loading' || (list.state === 'ready' && list.filling)
    if (this.owesCatchUp) return
    if (list.state === 'failed') return this.load(this.span)
    const begin = Math.max(this.span.begin, this.heardAt - UNDER_WAY_MS)
    if (begin > this.span.end && !this.deps.isOpen()) return
    const mine = this.turn
    this.early = []
    const since = { begin, end: Math.max(this.span.end, this.deps.now()) }
    const answer = await loadSpan(this.deps.ask, since)
    if (mine !== this.turn) return
    if (!answer.ok) return this.deps.onFailure(answer)
    const { covered, cut } = answer
    if (cut) this.deps.onFailure(cut)
    this.change((events) =>
      this.merge(
        events.filter((event) => event.event_ts < covered.begin),
        answer.events.filter((event) => this.deps.accepts(event)),
      ),
    )
  }

  private merge(...lists: readonly (readonly Event[])[]): readonly Event[] {
    const events = without(mergeEvents([], [...lists.flat(), ...this.early]), [...this.deleted])
    return events.map((event) => {
      const reviewed = this.marks.get(event.event_id) ?? event.reviewed
      return reviewed === event.reviewed ? event : { ...event, reviewed }
    })
  }

  private show(events: readonly Event[], filling: boolean, shortfall: Shortfall | null): void {
    if (!filling) this.$recovery.set([])
    this.$list.set({ state: 'ready', events: this.merge(events), filling, shortfall })
  }

  private change(update: (events: readonly Event[]) => readonly Event[]): void {
    const list = this.$list.get()
    if (list.state !== 'ready') return
    const events = update(list.events)
    if (events !== list.events) this.$list.set({ ...list, events })
  }
}

type Whole = Extract<Loaded, { ok: true }>

function whole(
  newer: Whole,
  newest: Span,
  older: Loaded | null,
  rest: Span | null,
): { events: Event[]; shortfall: Shortfall | null } {
  if (newer.cut)
    return { events: newer.events, shortfall: { kind: 'too-large', covered: newer.covered, failure: newer.cut } }
  if (!older || !rest) return { events: newer.events, shortfall: null }
  if (!older.ok) return { events: newer.events, shortfall: missing(older, newest) }
  const covered = { begin: older.covered.begin, end: newest.end }
  const { cut } = older
  return {
    events: mergeEvents(older.events, newer.events),
    shortfall: cut && { kind: 'too-large', covered, failure: cut },
  }
}

function missing(failure: RequestFailure, covered: Span): Shortfall {
  return failure.code === TOO_LARGE ? { kind: 'too-large', covered, failure } : { kind: 'older-missing', failure }
}

/**
 * Creates the event list of a page. The list loads in two parts, applies feed messages, and catches up after the feed
 * reconnects.
 */
export function createEventList(deps: EventListDeps): EventList {
  return new EventList(deps)
}
