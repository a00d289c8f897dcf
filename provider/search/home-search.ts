import type { Event } from '../../contract/events/events.ts'
import { eventsByIds } from '../events/event-rows.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { type Names, personOfToken, sayNamesInJson } from '../people/person-token.ts'
import { shownNames, type ShownNames } from '../people/shown-names.ts'
import { entitlementsOf } from '../billing/plans/entitlements.ts'
import { camerasOf, viewOf, type Asker, type View } from '../billing/plans/event-visibility.ts'
import { findInHome, type HomeFound, type HomeQuery } from './search-pipeline.ts'
import { namedCameras } from './query/named-cameras.ts'
import type { Suggestion } from './suggestion-handlers.ts'
import { wordsKey, type NamedCamera } from './query/parse-query.ts'
import { dropVotes, putVotes } from './index/search-rows.ts'
import { suggestions } from './suggestions.ts'

/** The part of a home that answers searches. */
export class HomeSearch {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  /** What the account's cameras among those asked have seen of it, of those whose plan includes the search. */
  async search(asker: Asker, asked: HomeQuery): Promise<HomeFound> {
    const view = this.searchedBy(asker)
    const names = shownNames(this.home, asker)
    const found = await findInHome(this.home.sql, this.named(view), asked, view, names)
    return sayNamesIn(found, names)
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

  /** Searches that find something of what the account's cameras have seen between two times, ms UTC. */
  suggest(asker: Asker, start: number, end: number): Promise<Suggestion[]> {
    const view = this.searchedBy(asker)
    return suggestions(this.home.sql, this.named(view), { start, end }, view, shownNames(this.home, asker).people)
  }

  /** Returns the view of the account's cameras whose plan includes the search. */
  private searchedBy({ userId, plans, now }: Asker): View {
    const given = entitlementsOf(plans, this.home.access.visibleTo(userId) ?? [], now)
    return viewOf(new Map([...given].filter(([, { search }]) => search)), now)
  }

  /** The cameras of a view as they are called now, and where they look. */
  private named(view: View): NamedCamera[] {
    const ids = camerasOf(view)
    return namedCameras(this.home.sql).filter(({ device_id }) => ids.includes(device_id))
  }
}

/** Replaces the tokens in an answer. What the question itself said has the names of any camera: the account asked by them. */
function sayNamesIn({ said, ...found }: HomeFound, names: ShownNames): HomeFound {
  const spoken = new Map(
    names.people.flatMap(({ name, tokens }) => tokens.map((token) => [personOfToken(token), name])),
  )
  const say = <T>(told: T, first?: Names) => JSON.parse(sayNamesInJson(JSON.stringify(told), names.at, first)) as T
  return { ...say(found), said: say(said, spoken) }
}
