import type { Event } from '../../contract/events/events.ts'
import type { QueryInterpretation } from '../../contract/search/search-calls.ts'
import { listEventsByIds } from '../events/event-rows.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { type PersonNames, parsePersonToken, insertNamesInJson } from '../people/person-token.ts'
import { getShownNames, type ShownNames } from '../people/shown-names.ts'
import { resolveEntitlements } from '../billing/plans/entitlements.ts'
import {
  listVisibleCameras,
  toEventVisibility,
  type HomeRequester,
  type EventVisibility,
} from '../billing/plans/event-visibility.ts'
import {
  searchHome,
  type HomeQuery,
  type HomeSearchResponse,
  type HomeSearchResult,
  type MatchText,
} from './search-pipeline.ts'
import { listNamedCameras } from './query/named-cameras.ts'
import type { Suggestion } from './suggestion-handlers.ts'
import { toFeedbackKey, type NamedCamera } from './query/parse-query.ts'
import { deleteVotes, storeVotes } from './index/search-rows.ts'
import type { RankedMatch } from './ranking/match-explanations.ts'
import { suggestSearches } from './suggestions.ts'

export class HomeSearch {
  readonly #home: HomeContext

  constructor(home: HomeContext) {
    this.#home = home
  }

  /**
   * Searches the requested cameras, except those that the account may not see or whose plan does not include search.
   */
  async search(requester: HomeRequester, query: HomeQuery): Promise<HomeSearchResponse> {
    const visibility = this.#getSearchView(requester)
    const names = getShownNames(this.#home, requester)
    const result = await searchHome(this.#home.sql, this.#listViewCameras(visibility), query, visibility, names)
    return toSearchResponse(result, names)
  }

  /** Stores an account's vote on the events that it may see. The vote affects searches with the same words. */
  putVotes(
    requester: HomeRequester,
    feedback: { feedbackId: string; query: string; vote: 1 | -1 },
    eventIds: readonly string[],
  ): void {
    const { sql } = this.#home
    const visibleEvents = JSON.parse(listEventsByIds(sql, this.#getSearchView(requester), eventIds)) as Event[]
    const ids = visibleEvents.map(({ event_id }) => event_id)
    storeVotes(sql, { ...feedback, words: toFeedbackKey(feedback.query) }, ids)
  }

  deleteVotes(feedbackId: string): void {
    deleteVotes(this.#home.sql, feedbackId)
  }

  /**
   * Returns suggested searches that match events between `start` and `end` (ms UTC) on cameras that the account may
   * search.
   */
  suggest(requester: HomeRequester, start: number, end: number): Promise<Suggestion[]> {
    const visibility = this.#getSearchView(requester)
    return suggestSearches(
      this.#home.sql,
      this.#listViewCameras(visibility),
      { start, end },
      visibility,
      getShownNames(this.#home, requester).people,
    )
  }

  #getSearchView({ userId, plans, now }: HomeRequester): EventVisibility {
    const entitlements = resolveEntitlements(plans, this.#home.access.findVisibleCameras(userId) ?? [], now)
    return toEventVisibility(new Map([...entitlements].filter(([, { search }]) => search)), now)
  }

  #listViewCameras(visibility: EventVisibility): NamedCamera[] {
    const ids = listVisibleCameras(visibility)
    return listNamedCameras(this.#home.sql).filter(({ device_id }) => ids.includes(device_id))
  }
}

/**
 * Converts the matches to text, and replaces the person tokens in a result by names. The query interpretation gets the
 * names regardless of the camera, because the account typed them.
 */
function toSearchResponse(result: HomeSearchResult, names: ShownNames): HomeSearchResponse {
  const namesByPerson = new Map(
    names.people.flatMap(({ name, tokens }) => tokens.map((token) => [parsePersonToken(token), name])),
  )
  const toJson = (value: unknown, first?: PersonNames) =>
    insertNamesInJson(JSON.stringify(value), names.getCameraNames, first)
  const toText = ({ match, place }: RankedMatch): MatchText => ({ json: toJson(match), place })
  return {
    ...result,
    found: result.found.map(toText),
    closest: result.closest.map(toText),
    said: JSON.parse(toJson(result.said, namesByPerson)) as QueryInterpretation,
  }
}
