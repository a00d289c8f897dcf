import { atom } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import type { RequestFailure } from '../../api/result.ts'
import { splitNewestDay, type Span } from '../../domain/time/date-range.ts'
import { markReviewed, mergeEvents, removeEvents } from '../../domain/events/event-list.ts'
import { applyFeedMessage } from './apply-feed-message.ts'
import { type FetchEventSpan, type LoadedSpan, loadSpan, TOO_MANY_EVENTS_CODE } from './load-event-span.ts'

/** Reason why the list is incomplete. `covered`: the loaded part of a range that was too large. */
export type EventListShortfall =
  | { readonly kind: 'too-large'; readonly covered: Span; readonly failure: RequestFailure }
  | { readonly kind: 'older-missing'; readonly failure: RequestFailure }

export type EventListState =
  | { readonly state: 'loading' }
  /** `events`: newest first. `isFilling`: the newest day is loaded, and older days are still loading. */
  | {
      readonly state: 'ready'
      readonly events: readonly Event[]
      readonly isFilling: boolean
      readonly shortfall: EventListShortfall | null
    }
  | { readonly state: 'failed'; readonly failure: RequestFailure }

export interface EventListDependencies {
  readonly ask: FetchEventSpan
  /** ms UTC */
  readonly now: () => number
  /** Returns true if an event that the feed delivers belongs in the view. */
  readonly acceptsEvent: (event: Event) => boolean
  /** Returns true if the view includes the present; a view of past days does not. */
  readonly includesPresent: () => boolean
  /** Called with every failure to load the list, unless a newer load has replaced the failed one (OPEN-63). */
  readonly onFailure: (failure: RequestFailure) => void
  /** Starts a new task, between the sorting of a long list and its publication. */
  readonly yieldTask?: () => Promise<void>
}

interface EventListLoadOptions {
  /** Keeps the current list visible until the response arrives. */
  readonly keepsList?: boolean
}

/**
 * Maximum time from the start of an event to its publication, ms: the clip is cut and uploaded first. A catch-up
 * therefore starts this long before the last feed message.
 */
const MAX_PUBLISH_DELAY_MS = 600_000

class EventList {
  readonly $list = atom<EventListState>({ state: 'loading' })
  /**
   * Events that a retry has loaded after the range was too large. The list gets them once the retry is complete
   * (STORE-10, OPEN-125).
   */
  readonly $recoveryEvents = atom<readonly Event[]>([])
  readonly #deps: EventListDependencies
  #span: Span = { begin: 0, end: 0 }
  #latestLoad = 0
  #lastMessageAt = 0
  #needsCatchUp = false
  /** Events from the feed since the last load or catch-up started. The response may not contain these events yet. */
  #earlyEvents: Event[] = []
  /** Reviewed marks and deletions made on this page. Responses to earlier requests do not contain these changes. */
  readonly #reviewedMarks = new Map<string, boolean>()
  readonly #deletedIds = new Set<string>()

  constructor(deps: EventListDependencies) {
    this.#deps = deps
  }

  /** Loads the events of a span. Shows the newest day first, and the older days once all of them have loaded. */
  async load(span: Span, options: EventListLoadOptions = {}): Promise<void> {
    const loadNumber = this.#startLoad(span)
    const keepsList = options.keepsList === true && this.$list.get().state !== 'loading'
    if (!keepsList) this.$list.set({ state: 'loading' })
    const { newest, rest } = splitNewestDay(span)
    const older = rest && loadSpan(this.#deps.ask, rest, (events) => this.$recoveryEvents.set(events))
    const newer = await loadSpan(this.#deps.ask, newest, (events) => this.$recoveryEvents.set(events))
    if (loadNumber !== this.#latestLoad) return
    if (!newer.ok) {
      if (!keepsList || this.$list.get().state !== 'ready') this.$list.set({ state: 'failed', failure: newer })
      return this.#deps.onFailure(newer)
    }
    if (older && newer.events.length > 0 && !keepsList) this.#setReady(newer.events, true, null)
    const olderResult = older && (await older)
    if (olderResult) await this.#deps.yieldTask?.()
    if (loadNumber !== this.#latestLoad) return
    const { events, shortfall } = combineParts(newer, newest, olderResult, rest)
    this.#setReady(events, false, shortfall)
    if (shortfall) this.#deps.onFailure(shortfall.failure)
    if (this.#needsCatchUp) await this.#catchUp()
  }

  applyMessage(message: FeedMessage): void {
    if (message.type === 'hello') void this.#catchUp()
    if (message.type === 'access' || message.type === 'people') void this.load(this.#span, { keepsList: true })
    this.#lastMessageAt = this.#deps.now()
    if (message.type === 'event' && !this.#acceptFeedEvent(message.event)) return
    if (message.type === 'removed') this.#earlyEvents = [...removeEvents(this.#earlyEvents, message.event_ids)]
    if (message.type === 'reviewed') for (const id of message.event_ids) this.#reviewedMarks.delete(id)
    this.#updateEvents((events) => applyFeedMessage(events, message))
  }

  mark(ids: readonly string[], reviewed: boolean): void {
    for (const id of ids) this.#reviewedMarks.set(id, reviewed)
    this.#updateEvents((events) => markReviewed(events, ids, reviewed))
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#deletedIds.add(id)
    this.#updateEvents((events) => removeEvents(events, ids))
  }

  restore(events: readonly Event[]): void {
    for (const { event_id } of events) this.#deletedIds.delete(event_id)
    this.#updateEvents((current) => mergeEvents(current, events))
  }

  #startLoad(span: Span): number {
    this.#span = span
    this.#lastMessageAt = this.#deps.now()
    this.#earlyEvents = []
    return ++this.#latestLoad
  }

  #acceptFeedEvent(event: Event): boolean {
    if (event.event_ts < this.#span.begin || !this.#deps.acceptsEvent(event)) return false
    this.#deletedIds.delete(event.event_id)
    this.#earlyEvents.push(event)
    return true
  }

  async #catchUp(): Promise<void> {
    const list = this.$list.get()
    this.#needsCatchUp = list.state === 'loading' || (list.state === 'ready' && list.isFilling)
    if (this.#needsCatchUp) return
    if (list.state === 'failed') return this.load(this.#span)
    const begin = Math.max(this.#span.begin, this.#lastMessageAt - MAX_PUBLISH_DELAY_MS)
    if (begin > this.#span.end && !this.#deps.includesPresent()) return
    const loadNumber = this.#latestLoad
    this.#earlyEvents = []
    const since = { begin, end: Math.max(this.#span.end, this.#deps.now()) }
    const result = await loadSpan(this.#deps.ask, since)
    if (loadNumber !== this.#latestLoad) return
    if (!result.ok) return this.#deps.onFailure(result)
    const { covered, cut } = result
    if (cut) this.#deps.onFailure(cut)
    this.#updateEvents((events) =>
      this.#mergeLocalChanges(
        events.filter((event) => event.event_ts < covered.begin),
        result.events.filter((event) => this.#deps.acceptsEvent(event)),
      ),
    )
  }

  #mergeLocalChanges(...lists: readonly (readonly Event[])[]): readonly Event[] {
    const changeCount = this.#earlyEvents.length + this.#deletedIds.size + this.#reviewedMarks.size
    const [only, ...others] = lists
    if (only && others.length + changeCount === 0) return only
    const events = removeEvents(mergeEvents([], [...lists.flat(), ...this.#earlyEvents]), [...this.#deletedIds])
    return events.map((event) => {
      const reviewed = this.#reviewedMarks.get(event.event_id) ?? event.reviewed
      return reviewed === event.reviewed ? event : { ...event, reviewed }
    })
  }

  #setReady(events: readonly Event[], filling: boolean, shortfall: EventListShortfall | null): void {
    if (!filling) this.$recoveryEvents.set([])
    this.$list.set({ state: 'ready', events: this.#mergeLocalChanges(events), isFilling: filling, shortfall })
  }

  #updateEvents(update: (events: readonly Event[]) => readonly Event[]): void {
    const list = this.$list.get()
    if (list.state !== 'ready') return
    const events = update(list.events)
    if (events !== list.events) this.$list.set({ ...list, events })
  }
}

type SuccessfulLoad = Extract<LoadedSpan, { ok: true }>

function combineParts(
  newer: SuccessfulLoad,
  newest: Span,
  older: LoadedSpan | null,
  rest: Span | null,
): { events: Event[]; shortfall: EventListShortfall | null } {
  if (newer.cut)
    return { events: newer.events, shortfall: { kind: 'too-large', covered: newer.covered, failure: newer.cut } }
  if (!older || !rest) return { events: newer.events, shortfall: null }
  if (!older.ok) return { events: newer.events, shortfall: createOlderShortfall(older, newest) }
  const covered = { begin: older.covered.begin, end: newest.end }
  const { cut } = older
  return {
    events: joinEvents(newer.events, older.events),
    shortfall: cut && { kind: 'too-large', covered, failure: cut },
  }
}

/** Joins two sorted lists. Only lists that overlap need the slower merge. */
function joinEvents(newer: Event[], older: Event[]): Event[] {
  const [oldest, newest] = [newer.at(-1), older[0]]
  const isDisjoint = !oldest || !newest || oldest.event_ts > newest.event_ts
  return isDisjoint ? [...newer, ...older] : mergeEvents(older, newer)
}

function createOlderShortfall(failure: RequestFailure, covered: Span): EventListShortfall {
  return failure.code === TOO_MANY_EVENTS_CODE
    ? { kind: 'too-large', covered, failure }
    : { kind: 'older-missing', failure }
}

/**
 * Creates the event list of a page. The list loads the newest day first, applies feed messages, and catches up when the
 * feed reconnects.
 */
export function createEventList(deps: EventListDependencies): EventList {
  return new EventList(deps)
}
