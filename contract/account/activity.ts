import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, ms, text } from '../wire/envelope.ts'

/** What a person is shown as "Activity": the log of their account, and the logs of the homes that they own. */

/** Kinds of entries by the group that a person filters by. A kind is never renamed: entries live for 90 days. */
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

/** What somebody was not let in by. */
export type SignInWay = 'password' | 'code' | 'recovery' | 'passkey'

/** How long an entry is kept. */
export const ACTIVITY_DAYS = 90
/** Entries of one answer. */
export const ACTIVITY_PAGE = 50
/** A count that has come this far is not counted on: it means "or more". */
export const ACTIVITY_COUNT_MAX = 1000

/** Time of an entry and six hex digits: entries sort by it, over all logs. */
const entryId = v.pipe(v.string(), v.regex(/^\d{13}-[\da-f]{6}$/))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** One entry. Text that has no meaning for its kind is ''. */
export const activityEntry = v.object({
  id: entryId,
  /** When it happened; of several that are one entry, the first and the last. */
  at: ms,
  until: ms,
  /** An `ActivityKind`, or one that a later version knows. */
  kind: text(40),
  /** Who did it: an e-mail, null where nobody knows or the account is gone. */
  who: v.nullable(text(254)),
  /** Whether the person who asks did it. */
  own: v.boolean(),
  /** With whom a camera is shared: an e-mail, null as `who`. */
  whom: v.nullable(text(254)),
  /** Name of the camera, '' where it is about none. */
  camera: text(120),
  /** New name, names of settings with a space between, rendition, `on` or `off`; of a bridge its name; of an ended session its device; of a refused sign-in what was tried (`SignInWay`); of `export` the times of its first and last clip, ms UTC. */
  value: text(300),
  /** How often it happened, or how many files or events it was about. Of `watched`: how often live. */
  count,
  /** Of `watched`: how many clips. */
  clips: count,
  /** Of `export`: bytes of the archive. */
  bytes: count,
  /** Browser and system, only of what happened to the account of who asks. */
  device: text(60),
  /** The address that it came from, cut to its /24 or /48; only beside `device`. */
  address: text(60),
})
export type ActivityEntry = v.InferOutput<typeof activityEntry>

/** Entries, newest first; `next` is the `before` of the following page, null after the last one. */
const page = v.object({ entries: v.array(activityEntry), next: v.nullable(entryId) })

/** The account's own sign-ins, and what happened in homes that it owns: nothing of a home in which it is a guest. */
export const getActivity = call('EXT-activity', 'GET', '/extension/activity', 'extension', {
  request: v.object({
    group: v.optional(v.picklist(Object.keys(ACTIVITY_GROUPS) as ActivityGroup[])),
    before: v.optional(entryId),
  }),
  response: envelope(200, page),
})

/** What `GET /admin/v1/activity/{e-mail}?before=…` answers the operator: the same as the person is shown. */
export const activityPage = v.object({ code: v.literal(200), data: page })
export const activityQuery = v.object({ before: v.optional(entryId) })
