import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { SEARCH_LIMIT, SEARCH_QUESTION_MAX } from '../wire/constants.ts'
import { deviceId, envelope, id, ms, nothing, text } from '../wire/envelope.ts'
import { event } from '../events/events.ts'
import { zone } from '../account/data-export.ts'

/** Search video with a sentence (CALL-46). What the provider answers is settled here; the rows name payloads only. */

const query = v.pipe(text(SEARCH_QUESTION_MAX), v.trim(), v.minLength(1))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** An event that a search has found, and the receipt for it. */
export const match = v.object({
  event,
  /** `strong`: all that was asked for, `good`: most of it, `weak`: some of it. */
  strength: v.picklist(['strong', 'good', 'weak']),
  /** Seconds from the beginning of the clip to what matched. */
  at_s: v.pipe(v.number(), v.minValue(0)),
  /** Why it matched, one sentence in parts; `hit`: what was asked for. */
  why: v.array(v.object({ text: text(300), hit: v.boolean() })),
})
export type Match = v.InferOutput<typeof match>

/** How much was looked through: numbers of events of the asked cameras and days that the plan shows. */
export const coverage = v.object({
  clips: count,
  /** Of which it is known what they show. */
  searched: count,
  /** Whose clip is still on its way. */
  arriving: count,
  /**
   * Whose description may still come: recorded within a day, by cameras of which somebody has described a clip after it was recorded
   * within a week.
   */
  waiting: v.optional(count, 0),
  /** Of the others, those of which only camera, time and kind are known: nobody has described their pictures. */
  undescribed: count,
  /** From when on the plan keeps events, ms UTC; a search does not reach further back. */
  kept_since: ms,
  /**
   * Clips before a time of which only those were searched that have something rare of what was asked, and of those, where they
   * are many, the ones with most of it and the newest; missing: there are none.
   */
  left_out: v.optional(v.object({ before: ms, clips: count })),
})
export type Coverage = v.InferOutput<typeof coverage>

/** What was made of the question, words as they stand in it. */
export const queryInterpretation = v.object({
  /** What nothing that was searched says: where there is any, nothing is found. */
  nowhere: v.array(text(SEARCH_QUESTION_MAX)),
  /** Words that nothing says, and the words of the home that were looked for instead. */
  instead: v.array(v.object({ asked: text(SEARCH_QUESTION_MAX), shown: text(SEARCH_QUESTION_MAX) })),
  /** What the results must not show; `people` where the question asks for nobody. */
  without: v.array(text(SEARCH_QUESTION_MAX)),
  /** Places that no camera is known to look at. */
  places: v.array(text(SEARCH_QUESTION_MAX)),
  /** Words that were not understood, and not looked for. */
  unknown: v.array(text(SEARCH_QUESTION_MAX)),
})
export type QueryInterpretation = v.InferOutput<typeof queryInterpretation>
/** What earlier providers say. */
const NOTHING_SAID: QueryInterpretation = { nowhere: [], instead: [], without: [], places: [], unknown: [] }

/** More matches than that are not counted. */
export const TOTAL_MAX = 500

/**
 * `device_macs_to_include` empty means every camera that the account may see, `event_tags_to_include` empty any kind of event.
 * Best first. `total`: how many match, with those that are not among `events`; `TOTAL_MAX`: so many or more. `closest`: what
 * came nearest, when nothing was found. 403: no plan that includes the search, or not enrolled;
 * `zone`: by whose clock the question names times. `as_is`: no word is taken for a slip of another.
 * code 3056 (HTTP 400): a longer span than `EVENT_SPAN_MAX_MS`. 400: a zone that is not known.
 */
export const search = call('CALL-46', 'POST', '/search', 'ai-video-search', {
  request: v.object({
    device_macs_to_include: v.pipe(v.array(deviceId), v.maxLength(99)),
    event_tags_to_include: v.pipe(v.array(text(20)), v.maxLength(50)),
    start_ts: ms,
    end_ts: ms,
    limit: v.literal(SEARCH_LIMIT),
    query,
    zone: v.optional(zone, 'UTC'),
    as_is: v.optional(v.boolean(), false),
  }),
  response: envelope(
    200,
    v.object({
      query_id: id,
      events: v.array(match),
      total: count,
      closest: v.array(match),
      said: v.optional(queryInterpretation, NOTHING_SAID),
      coverage,
    }),
  ),
})

/** A search that was made; asking the same again renews its entry. `found` is the `total`. */
export const historyEntry = v.object({ query_id: id, query: text(SEARCH_QUESTION_MAX), at: ms, found: count })
export type HistoryEntry = v.InferOutput<typeof historyEntry>

/** The account's own searches, the latest first, 50 at most. */
export const searchHistory = call('CALL-47', 'GET', '/search_history', 'ai-video-search', {
  request: nothing,
  response: envelope(200, v.object({ history: v.array(historyEntry) })),
})
/** Ids that there are not are let pass. */
export const deleteSearchHistory = call('CALL-48', 'POST', '/search_history/batch_delete', 'ai-video-search', {
  request: v.object({ query_ids: v.pipe(v.array(id), v.maxLength(50)), delete_all: v.boolean() }),
  response: envelope(200, v.object({ deleted: count })),
})
/** 404: no such entry. */
export const deleteSearchHistoryEntry = call('CALL-49', 'DELETE', '/search_history/{query_id}', 'ai-video-search', {
  request: nothing,
  response: envelope(200, v.object({ deleted: count })),
})

/** Searches that find something on the account's cameras now, 6 at most. */
export const recommendation = call('CALL-50', 'GET', '/recommendation', 'ai-video-search', {
  request: v.object({ version: v.literal('v1') }),
  response: envelope(
    200,
    v.object({ recommendations: v.array(v.object({ query: text(SEARCH_QUESTION_MAX), found: count })) }),
  ),
})

/** `status`: 1 enrolled, 2 not (OPEN-45). `available`: whether a plan of the account includes the search. */
const onboarding = envelope(200, v.object({ status: v.picklist([1, 2]), available: v.boolean() }))

/** Enrols the account for the search; doing so again changes nothing. 403: no plan of it includes the search. */
export const onboardingRegister = call(
  'CALL-51',
  'POST',
  '/onboarding/register',
  'gateway',
  { request: nothing, response: onboarding },
  { nonce: true },
)
export const onboardingStatus = call('CALL-52', 'GET', '/onboarding/status', 'gateway', {
  request: nothing,
  response: onboarding,
})

/** Which hints the account has seen, as bits: 1 the introduction, 2 how to put a question. */
const instructionState = v.object({ state: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3)) })

/** OPEN-74: a state that comes with the question is ignored. */
export const getInstructionState = call(
  'CALL-53',
  'GET',
  '/onboarding/instruction_state',
  'gateway',
  { request: nothing, response: envelope(200, instructionState) },
  { nonce: true },
)
/** Adds the bits of `state` to those that are kept; answers all of them. */
export const setInstructionState = call(
  'CALL-54',
  'POST',
  '/onboarding/instruction_state',
  'gateway',
  { request: instructionState, response: envelope(200, instructionState) },
  { nonce: true },
)

/** What can be wrong with results. */
export const feedbackCategory = call('CALL-55', 'GET', '/feedback_category', 'ai-video-search', {
  request: nothing,
  response: envelope(200, v.object({ categories: v.array(v.object({ id, name: text(80) })) })),
})
/**
 * Says whether the results of the account's last search for `query` were right. From then on searches in the same words put
 * these events further up or down, for everybody of their homes, until it is taken back. 404: no such search was made.
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
      /** '' when the results were right. */
      feedback_category_id: v.union([v.literal(''), id]),
      query,
    }),
    response: envelope(200, v.object({ feedback_id: id })),
  },
  { nonce: true },
)
/** Takes feedback back: the order of results is as before. 404: not the account's, or taken back already. */
export const undoSearchFeedback = call(
  'EXT-search-feedback-undo',
  'POST',
  '/extension/search-feedback-undo',
  'extension',
  { request: v.object({ feedback_id: id }), response: envelope(200, nothing) },
  { nonce: true },
)
