import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, timestampMs, text } from '../wire/envelope.ts'

/** Data of the "Activity" page: the log of the account and the logs of the homes that the account owns. */

/** Kinds of entries by filter group. Never rename a kind, because stored entries contain it for 90 days. */
export const ACTIVITY_GROUPS = {
  'sign-ins': [
    'sign-in',
    'sign-in-refused',
    'sign-in-limited',
    'refresh-reuse',
    'sign-out',
    'session-ended',
    'sessions-ended',
    'password-changed',
    'second-factor-on',
    'second-factor-off',
    'recovery-codes',
    'passkey-added',
    'passkey-removed',
  ],
  guests: ['watched', 'shared', 'unshared'],
  changes: [
    'camera-renamed',
    'camera-settings',
    'camera-resolution',
    'camera-power',
    'camera-removed',
    'bridge-added',
    'bridge-renamed',
    'bridge-removed',
    'events-deleted',
    'events-restored',
    'people-recognition',
    'people-forgotten',
    'account-leaves',
    'account-stays',
    'account-removed',
  ],
  exports: ['export', 'clip-sent'],
} as const
export type ActivityGroup = keyof typeof ACTIVITY_GROUPS
export type ActivityKind = (typeof ACTIVITY_GROUPS)[ActivityGroup][number]

export type SignInCredential = 'password' | 'code' | 'recovery' | 'passkey'

export const ACTIVITY_DAYS = 90
export const ACTIVITY_PAGE_SIZE = 50
/** Maximum of `count` and `clips` in an entry. This value means "1,000 or more". */
export const ACTIVITY_COUNT_MAX = 1000

/** Id of an entry: time in ms and six hex digits. Entries from several logs are sorted by their ids. */
const entryId = v.pipe(v.string(), v.regex(/^\d{13}-[\da-f]{6}$/))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Entry of the activity log. Text fields that do not apply to the entry's kind are ''. */
export const activityEntry = v.object({
  id: entryId,
  /**
   * `at` and `until`: times of the first and the last occurrence that the entry combines; equal for a single
   * occurrence.
   */
  at: timestampMs,
  until: timestampMs,
  /** An `ActivityKind`, or a kind that only a later version knows. */
  kind: text(40),
  /** Email of the actor; null if the actor is unknown or the actor's account is deleted. */
  who: v.nullable(text(254)),
  /** True if the requesting account is the actor. */
  own: v.boolean(),
  /** Email of the guest of a shared camera; null if the entry has no guest or the guest's account is deleted. */
  whom: v.nullable(text(254)),
  camera: text(120),
  /**
   * Detail, depending on the kind: new name, names of the changed settings separated by spaces, rendition, `on` or
   * `off`, bridge name, browsers of ended sessions, or `SignInCredential`. `export`: times of the first and last clip,
   * ms UTC, separated by a space. `clip-sent`: `submit` or `withdraw`.
   */
  value: text(300),
  /** Number of occurrences, clips, events or people, depending on the kind. `watched`: number of live views. */
  count,
  /** `watched`: number of clips. */
  clips: count,
  /** `export`: bytes of the exported clips. */
  bytes: count,
  /** Browser and system. Set only in entries of the account's own log. */
  device: text(60),
  /** IP address, truncated to its /24 or /48; only together with `device`. */
  address: text(60),
})
export type ActivityEntry = v.InferOutput<typeof activityEntry>

/** Page of entries, newest first. `next`: value of `before` for the next page; null on the last page. */
const activityPage = v.object({ entries: v.array(activityEntry), next: v.nullable(entryId) })

/** Returns a page of entries from the account's own log and the logs of the homes that the account owns. */
export const getActivity = call('EXT-activity', 'GET', '/extension/activity', 'extension', {
  request: v.object({
    group: v.optional(v.picklist(Object.keys(ACTIVITY_GROUPS) as ActivityGroup[])),
    before: v.optional(entryId),
  }),
  response: envelope(200, activityPage),
})

/**
 * Response to the operator's `GET /admin/v1/activity/{email}?before=…`: the entries that the account itself can see.
 */
export const activityPageResponse = v.object({ code: v.literal(200), data: activityPage })
export const activityQuery = v.object({ before: v.optional(entryId) })
