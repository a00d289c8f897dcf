import type { Event } from '../../contract/events.ts'
import { eventsByIds } from '../events/event-rows.ts'
import { listPeople, type Person } from '../faces/people-rows.ts'
import type { HomeContext } from '../feed/home-context.ts'
import { entitlementsOf } from '../plans/entitlement.ts'
import { camerasOf, viewOf, type Asker, type View } from '../plans/view.ts'
import { findInHome, type HomeFound, type HomeQuery } from './find.ts'
import { namedCameras } from './named-cameras.ts'
import type { Suggestion } from './recommend.ts'
import { wordsKey, type NamedCamera } from './understand.ts'
import { dropVotes, putVotes } from './search-rows.ts'
import { suggestions } from './suggestions.ts'

/** The part of a home that answers searches, and who was seen. */
export class HomeSearch {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  /** What the account's cameras among those asked have seen of it, of those whose plan includes the search. */
  search(asker: Asker, asked: HomeQuery): Promise<HomeFound> {
    const view = this.searchedBy(asker)
    return findInHome(this.home.sql, this.named(view), asked, view)
  }

  /** Lets searches in the same words know what the account says of these events, of those that it sees. */
  putVotes(
    asker: Asker,
    feedback: { feedbackId: string; query: string; vote: 1 | -1 },
    eventIds: readonly string[],
  ): void {
    const { sql } = this.home
    const seen = JSON.parse(eventsByIds(sql, this.searchedBy(asker), eventIds)) as Event[]
    const ids = seen.map(({ event_id }) => event_id)
    putVotes(sql, { ...feedback, words: wordsKey(feedback.query) }, ids)
  }

  dropVotes(feedbackId: string): void {
    dropVotes(this.home.sql, feedbackId)
  }

  /** People whom the account's cameras have seen, of those whose plan includes people. */
  people(asker: Asker): Promise<Person[]> {
    return listPeople(this.home.sql, this.viewGiven(asker, 'people'), asker.now)
  }

  /** Searches that find something of what the account's cameras have seen between two times, ms UTC. */
  suggest(asker: Asker, start: number, end: number): Promise<Suggestion[]> {
    const view = this.searchedBy(asker)
    return suggestions(this.home.sql, this.named(view), { start, end }, view)
  }

  private searchedBy(asker: Asker): View {
    return this.viewGiven(asker, 'search')
  }

  /** Returns what is shown of the account's cameras whose plan includes this feature. */
  private viewGiven({ userId, plans, now }: Asker, feature: 'search' | 'people'): View {
    const given = entitlementsOf(plans, this.home.access.visibleTo(userId) ?? [], now)
    return viewOf(new Map([...given].filter(([, entitlement]) => entitlement[feature])), now)
  }

  /** The cameras of a view as they are called now, and where they look. */
  private named(view: View): NamedCamera[] {
    const ids = camerasOf(view)
    return namedCameras(this.home.sql).filter(({ device_id }) => ids.includes(device_id))
  }
}
