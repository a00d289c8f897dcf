import type { Event } from '../../contract/events.ts'
import { listDevices } from '../devices/device-rows.ts'
import { eventsByIds } from '../events/event-rows.ts'
import { listPeople, type Person } from '../faces/people-rows.ts'
import type { HomeContext } from '../feed/home-context.ts'
import { findInHome, type HomeFound, type HomeQuery } from './find.ts'
import type { Suggestion } from './recommend.ts'
import { wordsKey, type NamedCamera } from './rules.ts'
import { dropVotes, putVotes } from './search-rows.ts'
import { suggestions } from './suggestions.ts'

/** The part of a home that answers searches, and who was seen. */
export class HomeSearch {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  /** What the account's cameras among those asked have seen of it. */
  search(userId: string, asked: HomeQuery): HomeFound {
    return findInHome(this.home.sql, this.camerasOf(userId), asked)
  }

  /** Lets searches in the same words know what the account says of these events, of those that it sees. */
  putVotes(
    userId: string,
    feedback: { feedbackId: string; query: string; vote: 1 | -1 },
    eventIds: readonly string[],
  ): void {
    const { sql } = this.home
    const seen = JSON.parse(eventsByIds(sql, this.visibleTo(userId), eventIds, false)) as Event[]
    const ids = seen.map(({ event_id }) => event_id)
    putVotes(sql, { ...feedback, words: wordsKey(feedback.query) }, ids)
  }

  dropVotes(feedbackId: string): void {
    dropVotes(this.home.sql, feedbackId)
  }

  /** People whom the account's cameras have seen; `free`: only in events that every plan shows. */
  people(userId: string, free: boolean): Person[] {
    return listPeople(this.home.sql, this.visibleTo(userId), 0, free)
  }

  /** Searches that find something of what the account's cameras have seen between two times, ms UTC. */
  suggest(userId: string, start: number, end: number): Suggestion[] {
    return suggestions(this.home.sql, this.camerasOf(userId), start, end)
  }

  private visibleTo(userId: string): string[] {
    return this.home.access.visibleTo(userId) ?? []
  }

  /** The account's cameras as they are called now. */
  private camerasOf(userId: string): NamedCamera[] {
    const visible = this.visibleTo(userId)
    const cameras = listDevices(this.home.sql).filter(({ device_id }) => visible.includes(device_id))
    return cameras.map(({ device_id, nickname }) => ({ device_id, name: nickname }))
  }
}
