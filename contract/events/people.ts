import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'

/** Extension calls about the people that cameras recognize (OPEN-77, OPEN-166). Only the owner of a home may use them. */

export const PERSON_NAME_MAX = 60
export const MERGE_UNDO_MS = 600_000
/**
 * Matches the default name that clips show until the owner names a person, such as "Person 3", in upper or lower case.
 */
export const DEFAULT_PERSON_NAME = /^person \d+$/i

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const emptyResponse = envelope(200, v.object({}))
const writeOptions = { nonce: true }

const person = v.object({
  person_id: id,
  /** Displayed name: the one that the owner gave, or a default such as "Person 3". */
  name: text(PERSON_NAME_MAX),
  named: v.boolean(),
  /** True if the owner has hidden this person. Clips do not mention hidden people. */
  hidden: v.boolean(),
  /** Number of clips that show the person and that the plans of the cameras retain. */
  events: count,
  /** Times of the first and the last of these clips, ms UTC; null without clips. */
  first_seen: v.nullable(timestampMs),
  last_seen: v.nullable(timestampMs),
  /** Newest clip, for its thumbnail; null without clips. */
  example: v.nullable(v.object({ event_id: id, device_id: deviceId })),
})
export type HomePerson = v.InferOutput<typeof person>

/**
 * Two people who may be one person: their clips are part of the same visits, and no clip shows both. At least one of
 * them is unnamed. Faces are not compared.
 */
const samePersonSuggestion = v.object({
  /** Person who would be merged. */
  person_id: id,
  /** Person whose name would stay: the named one, the one with more clips, or the one seen last. */
  into: id,
  /** Number of visits in which clips of both people are less than `VISIT_GAP_MS` apart. */
  visits: count,
  /** Names of the cameras with these visits; the camera with the most visits comes first. */
  cameras: v.array(text(120)),
})
export type SamePersonSuggestion = v.InferOutput<typeof samePersonSuggestion>

const homePeople = v.object({
  home_id: id,
  name: text(120),
  /** True if recognition is on: new clips are matched with people. */
  recognition: v.boolean(),
  /** True if accounts other than the owner see the names of people on clips. */
  guests: v.boolean(),
  /** Cameras whose plan includes the recognition of people. Names appear only on clips of these cameras. */
  cameras: v.array(deviceId),
  /** Named people first, then unnamed people; in each group, people with more clips first. */
  people: v.array(person),
  /** Likeliest suggestion first; at most three. Empty while recognition is off. */
  suggestions: v.optional(v.array(samePersonSuggestion), []),
})
export type HomePeople = v.InferOutput<typeof homePeople>

/** The people of the homes that the account owns. */
export const getHomePeople = call('EXT-people', 'GET', '/extension/people', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ homes: v.array(homePeople) })),
})

/**
 * Turns the recognition of people in new clips on or off, and shows or hides names for accounts other than the owner
 * (`guests`). Saved names stay.
 */
export const setRecognition = call(
  'EXT-recognition',
  'PUT',
  '/extension/recognition',
  'extension',
  { request: v.object({ home_id: id, on: v.boolean(), guests: v.boolean() }), response: emptyResponse },
  writeOptions,
)

/**
 * Names a person, and shows the person again if hidden. null removes the name. 409: another person has this name. 422:
 * the name is the name of a detected thing or sound, or has the form of a default name ("Person 3").
 */
export const namePerson = call(
  'EXT-person-name',
  'POST',
  '/extension/person-name',
  'extension',
  {
    request: v.object({
      home_id: id,
      person_id: id,
      name: v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(PERSON_NAME_MAX))),
    }),
    response: emptyResponse,
  },
  writeOptions,
)

/** Stops or resumes mentioning a person on clips. */
export const hidePerson = call(
  'EXT-person-hide',
  'POST',
  '/extension/person-hide',
  'extension',
  { request: v.object({ home_id: id, person_id: id, hidden: v.boolean() }), response: emptyResponse },
  writeOptions,
)

/** Moves the clips of one person (`person_id`) to another person (`into`), whose name stays. */
export const mergePeople = call(
  'EXT-person-merge',
  'POST',
  '/extension/person-merge',
  'extension',
  { request: v.object({ home_id: id, person_id: id, into: id }), response: emptyResponse },
  writeOptions,
)

/**
 * Separates a person (`person_id`) from the person into which it was merged. The separated person loses its name if
 * another person now has the same name. 409: the merge is more than `MERGE_UNDO_MS` ago. 404: the person is not merged.
 */
export const splitPerson = call(
  'EXT-person-split',
  'POST',
  '/extension/person-split',
  'extension',
  { request: v.object({ home_id: id, person_id: id }), response: emptyResponse },
  writeOptions,
)

/**
 * Stores that two people are different, so that they are no longer suggested as one person. `different: false` removes
 * this statement. 404: one of them is unknown or merged into another person, or both ids are the same.
 */
export const markDifferentPeople = call(
  'EXT-person-different',
  'POST',
  '/extension/person-different',
  'extension',
  { request: v.object({ home_id: id, person_id: id, other_id: id, different: v.boolean() }), response: emptyResponse },
  writeOptions,
)

/**
 * Deletes names, face data and index entries of the people in `person_ids`, or of all people of the home if
 * `person_ids` is null. Also deletes stored searches with these names. The clips stay. 404: an id is unknown, and
 * nothing is deleted.
 */
export const deletePeopleData = call(
  'EXT-people-forget',
  'POST',
  '/extension/people-forget',
  'extension',
  {
    request: v.object({ home_id: id, person_ids: v.nullable(v.pipe(v.array(id), v.minLength(1), v.maxLength(500))) }),
    response: emptyResponse,
  },
  writeOptions,
)
