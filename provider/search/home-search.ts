import type { Event } from '../../contract/events/events.ts'
import { eventsByIds } from '../events/event-rows.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { type Names, personOfToken, insertNamesInJson } from '../people/person-token.ts'
import { shownNames, type ShownNames } from '../people/shown-names.ts'
import { resolveEntitlements } from '../billing/plans/entitlements.ts'
import {
  listVisibleCameras,
  toEventVisibility,
  type HomeRequester,
  type EventVisibility,
} from '../billing/plans/event-visibility.ts'
import { findInHome, type HomeSearchResult, type HomeQuery } from './search-pipeline.ts'
import { namedCameras } from './query/named-cameras.ts'
import type { Suggestion } from './suggestion-handlers.ts'
import { wordsKey, type NamedCamera } from './query/parse-query.ts'
import { dropVotes, putVotes } from './index/search-rows.ts'
import { suggestions } from './suggestions.ts'

export class HomeSearch {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  /** Searches the requested cameras that the account may see and whose plan includes search. */
  async search(asker: HomeRequester, query: HomeQuery): Promise<HomeSearchResult> {
    const view = this.getSearchView(asker)
    const names = shownNames(this.home, asker)
    const found = await findInHome(this.home.sql, this.named(view), query, view, names)
    return insertNamesInResult(found, names)
  }

  /**
   * Stores the account's vote on those of the events that the account may see; it affects searches with the same words.
   */
  putVotes(
    asker: HomeRequester,
    feedback: { feedbackId: string; query: string; vote: 1 | -1 },
    eventIds: readonly string[],
  ): void {
    const { sql } = this.home
    const seen = JSON.parse(eventsByIds(sql, this.getSearchView(asker), eventIds)) as Event[]
    const ids = seen.map(({ event_id }) => event_id)
    putVotes(sql, { ...feedback, words: wordsKey(feedback.query) }, ids)
  }

  dropVotes(feedbackId: string): void {
    dropVotes(this.home.sql, feedbackId)
  }

  /** Suggests searches that match events of the account's cameras between `start` and `end` (ms UTC). */
  suggest(asker: HomeRequester, start: number, end: number): Promise<Suggestion[]> {
    const view = this.getSearchView(asker)
    return suggestions(this.home.sql, this.named(view), { start, end }, view, shownNames(this.home, asker).people)
  }

  private getSearchView({ userId, plans, now }: HomeRequester): EventVisibility {
    const entitlements = resolveEntitlements(plans, this.home.access.visibleTo(userId) ?? [], now)
    return toEventVisibility(new Map([...entitlements].filter(([, { search }]) => search)), now)
  }

  private named(view: EventVisibility): NamedCamera[] {
    const ids = listVisibleCameras(view)
    return namedCameras(this.home.sql).filter(({ device_id }) => ids.includes(device_id))
  }
}

/**
 * Replaces the person tokens in a result by names. In the query interpretation, replaces them by the names of people at
 * any camera, because the account typed those names.
 */
function insertNamesInResult(
  { said: interpretation, ...found }: HomeSearchResult,
  names: ShownNames,
): HomeSearchResult {
  const namesByPerson = new Map(
    names.people.flatMap(({ name, tokens }) => tokens.map((token) => [personOfToken(token), name])),
  )
  const withNames = <T>(value: T, first?: Names) =>
    JSON.parse(insertNamesInJson(JSON.stringify(value), names.at, first)) as T
  return { ...withNames(found), said: withNames(interpretation, namesByPerson) }
}
