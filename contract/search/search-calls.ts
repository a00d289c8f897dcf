import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { SEARCH_LIMIT, SEARCH_QUERY_MAX_CHARS } from '../wire/constants.ts'
import { deviceId, envelope, id, timestampMs, emptyObject, text } from '../wire/envelope.ts'
import { coordinate } from '../events/detections.ts'
import { event } from '../events/events.ts'
import { zone } from '../account/data-export.ts'

/**
 * Video search by sentence (CALL-46). The requirements define only the request payloads, so the responses are defined
 * here.
 */

const query = v.pipe(text(SEARCH_QUERY_MAX_CHARS), v.trim(), v.minLength(1))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const searchMatch = v.object({
  event,
  /**
   * `strong`: the event contains all query terms, and one sentence contains all terms that occur in any sentence of the
   * event. `good`: the event contains at least half of the terms. `weak`: the event contains fewer terms, or the search
   * corrected the spelling of the query.
   */
  strength: v.picklist(['strong', 'good', 'weak']),
  /** Seconds from the start of the clip to the match. */
  at_s: v.pipe(v.number(), v.minValue(0)),
  /** Match explanation: one sentence in parts; `hit` marks query terms. */
  why: v.array(v.object({ text: text(300), hit: v.boolean() })),
  /**
   * Position of the matching object in the thumbnail: left, top, width and height in thousandths of the frame. Omitted
   * if the thumbnail shows another moment, or if the object is unknown or ambiguous.
   */
  subject: v.optional(v.tuple([coordinate, coordinate, coordinate, coordinate])),
})
export type SearchMatch = v.InferOutput<typeof searchMatch>

/**
 * Numbers of events of the requested cameras in the requested time range, within the retention period of each camera. A
 * time in the query narrows the range.
 */
export const searchCoverage = v.object({
  clips: count,
  /** Events with a description, which the search can read. Does not count the clips in `left_out`. */
  searched: count,
  /** Events whose clip is not uploaded yet. */
  arriving: count,
  /**
   * Events of the last 24 hours that may still get a description, because in the last week another event of the same
   * camera got a description after its recording.
   */
  waiting: v.optional(count, 0),
  /**
   * Events without a description that are not in `arriving` or `waiting`. The search reads only their title, tags,
   * detected values, camera and time.
   */
  undescribed: count,
  /** Start of the longest retention period of a plan with search, ms UTC. The search reaches no further back. */
  kept_since: timestampMs,
  /**
   * `clips`: number of clips before `before` (ms UTC). Of these clips, the search read only those with a rare query
   * term. If too many clips had such a term, the search preferred clips with more rare terms, then newer clips.
   * Omitted: the search read all clips.
   */
  left_out: v.optional(v.object({ before: timestampMs, clips: count })),
})
export type SearchCoverageCounts = v.InferOutput<typeof searchCoverage>

/** Interpretation of the query. It quotes words as they are written in the query. */
export const queryInterpretation = v.object({
  /**
   * Query terms that occur in no event. If there are any, no event matches, but the response can contain near misses.
   */
  nowhere: v.array(text(SEARCH_QUERY_MAX_CHARS)),
  /**
   * Query words that occur in no event (`asked`), and the similar words that replaced them (`shown`): words from events
   * of the home, or names of its cameras and people.
   */
  instead: v.array(v.object({ asked: text(SEARCH_QUERY_MAX_CHARS), shown: text(SEARCH_QUERY_MAX_CHARS) })),
  /** Excluded terms; `people` if the query excludes people. */
  without: v.array(text(SEARCH_QUERY_MAX_CHARS)),
  /** Camera areas in the query to which none of the account's searchable cameras belongs. */
  places: v.array(text(SEARCH_QUERY_MAX_CHARS)),
  /** Words that the search did not understand and ignored. */
  unknown: v.array(text(SEARCH_QUERY_MAX_CHARS)),
  /** Cameras that the query names, by camera name, location or house area. */
  cameras: v.optional(
    v.array(v.object({ said: text(SEARCH_QUERY_MAX_CHARS), device_ids: v.pipe(v.array(deviceId), v.maxLength(99)) })),
    [],
  ),
  /** True if the query names only cameras and times, so that every clip of them matches. */
  scope_only: v.optional(v.boolean(), false),
})
export type QueryInterpretation = v.InferOutput<typeof queryInterpretation>
/** Default for responses of earlier providers, which contain no interpretation. */
const EMPTY_INTERPRETATION: QueryInterpretation = {
  nowhere: [],
  instead: [],
  without: [],
  places: [],
  unknown: [],
  cameras: [],
  scope_only: false,
}

/** Matches beyond this number are not counted. */
export const SEARCH_TOTAL_MAX = 500

/**
 * Searches events, best match first. An empty `device_macs_to_include` or `event_tags_to_include` means all. `total`
 * counts all matches, up to `SEARCH_TOTAL_MAX`; `closest` has near misses if there is no match. `offset`: number of
 * matches to skip. `zone`: time zone of times in the query. `as_is`: no spelling correction. 403: no plan of the homes and cameras that the account can see
 * includes search, or the account is not enrolled. 3056 (HTTP 400): span above `EVENT_SPAN_MAX_MS`. 400: unknown zone.
 */
export const search = call('CALL-46', 'POST', '/search', 'ai-video-search', {
  request: v.object({
    device_macs_to_include: v.pipe(v.array(deviceId), v.maxLength(99)),
    event_tags_to_include: v.pipe(v.array(text(20)), v.maxLength(50)),
    start_ts: timestampMs,
    end_ts: timestampMs,
    limit: v.literal(SEARCH_LIMIT),
    offset: v.optional(v.pipe(count, v.maxValue(SEARCH_TOTAL_MAX)), 0),
    query,
    zone: v.optional(zone, 'UTC'),
    as_is: v.optional(v.boolean(), false),
  }),
  response: envelope(
    200,
    v.object({
      query_id: id,
      events: v.array(searchMatch),
      total: count,
      closest: v.array(searchMatch),
      said: v.optional(queryInterpretation, EMPTY_INTERPRETATION),
      coverage: searchCoverage,
    }),
  ),
})

/** Entry of the search history. Repeating a search updates its entry. `found`: `total` of the search. */
export const historyEntry = v.object({
  query_id: id,
  query: text(SEARCH_QUERY_MAX_CHARS),
  at: timestampMs,
  found: count,
})
export type HistoryEntry = v.InferOutput<typeof historyEntry>

/** Returns the account's own searches, newest first, at most 50. */
export const searchHistory = call('CALL-47', 'GET', '/search_history', 'ai-video-search', {
  request: emptyObject,
  response: envelope(200, v.object({ history: v.array(historyEntry) })),
})
/**
 * Deletes entries of the account's search history, or the whole history if `delete_all` is true. Ignores unknown ids.
 */
export const deleteSearchHistory = call('CALL-48', 'POST', '/search_history/batch_delete', 'ai-video-search', {
  request: v.object({ query_ids: v.pipe(v.array(id), v.maxLength(50)), delete_all: v.boolean() }),
  response: envelope(200, v.object({ deleted: count })),
})
/** Deletes one entry of the account's search history. 404: no such entry. */
export const deleteSearchHistoryEntry = call('CALL-49', 'DELETE', '/search_history/{query_id}', 'ai-video-search', {
  request: emptyObject,
  response: envelope(200, v.object({ deleted: count })),
})

/**
 * Returns at most 6 suggested searches that match events of the last 14 days on the account's cameras. Returns none if
 * no plan of these cameras includes search.
 */
export const recommendation = call('CALL-50', 'GET', '/recommendation', 'ai-video-search', {
  request: v.object({ version: v.literal('v1') }),
  response: envelope(
    200,
    v.object({ recommendations: v.array(v.object({ query: text(SEARCH_QUERY_MAX_CHARS), found: count })) }),
  ),
})

/**
 * `status`: 1 if the account is enrolled, else 2 (OPEN-45). `available`: true if a plan of the homes and cameras that
 * the account can see includes search.
 */
const onboardingResponse = envelope(200, v.object({ status: v.picklist([1, 2]), available: v.boolean() }))

/**
 * Enrolls the account for search; idempotent. 403: no plan of the homes and cameras that the account can see includes
 * search.
 */
export const onboardingRegister = call(
  'CALL-51',
  'POST',
  '/onboarding/register',
  'gateway',
  { request: emptyObject, response: onboardingResponse },
  { nonce: true },
)
export const onboardingStatus = call('CALL-52', 'GET', '/onboarding/status', 'gateway', {
  request: emptyObject,
  response: onboardingResponse,
})

/** Hints that the account has seen, as bits: 1 is the introduction, 2 explains how to phrase a query. */
const instructionState = v.object({ state: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3)) })

/** Returns the hints that the account has seen. A state in the request is ignored (OPEN-74). */
export const getInstructionState = call(
  'CALL-53',
  'GET',
  '/onboarding/instruction_state',
  'gateway',
  { request: emptyObject, response: envelope(200, instructionState) },
  { nonce: true },
)
/** Adds the bits of `state` to the stored bits; returns the resulting bits. */
export const setInstructionState = call(
  'CALL-54',
  'POST',
  '/onboarding/instruction_state',
  'gateway',
  { request: instructionState, response: envelope(200, instructionState) },
  { nonce: true },
)

export const feedbackCategory = call('CALL-55', 'GET', '/feedback_category', 'ai-video-search', {
  request: emptyObject,
  response: envelope(200, v.object({ categories: v.array(v.object({ id, name: text(80) })) })),
})
/**
 * Rates the results of the account's last search for `query`. The rating changes the rank of these events in later
 * searches with the same words, also for other accounts. 404: no such search.
 */
export const searchFeedback = call(
  'CALL-56',
  'POST',
  '/feedback',
  'ai-video-search',
  {
    request: v.object({
      is_search_result_accurate: v.boolean(),
      feedback_message: text(1000),
      /** '' if the user rated the results as accurate. */
      feedback_category_id: v.union([v.literal(''), id]),
      query,
    }),
    response: envelope(200, v.object({ feedback_id: id })),
  },
  { nonce: true },
)
/** Undoes feedback and restores the ranking. 404: the feedback is of another account, or already undone. */
export const undoSearchFeedback = call(
  'EXT-search-feedback-undo',
  'POST',
  '/extension/search-feedback-undo',
  'extension',
  { request: v.object({ feedback_id: id }), response: envelope(200, emptyObject) },
  { nonce: true },
)
