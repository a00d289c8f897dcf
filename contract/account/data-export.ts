import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, text } from '../wire/envelope.ts'

/** Data export of an account: the clips that its plan shows, a table of its events, and its invoices. */

/**
 * Maximum number of clips and of events per archive: limited by the data that the provider can read for one response,
 * and by the clips that it can open for one download.
 */
export const TAKE_CLIPS_MAX = 900
export const TAKE_EVENTS_MAX = 2000

/** Returns the size of the data export for the homes that the account owns. Read-only. */
export const getTake = call('EXT-take-size', 'GET', '/extension/take', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      clips: v.number(),
      events: v.number(),
      bills: v.number(),
      /**
       * Total size of the clips. `about`: true if the total is an estimate, because the size of some clips is unknown.
       */
      bytes: v.number(),
      about: v.boolean(),
      /**
       * Number of archives: each has at most `EXPORT_BYTES_MAX` bytes, `TAKE_CLIPS_MAX` clips and `TAKE_EVENTS_MAX`
       * events.
       */
      archives: v.number(),
    }),
  ),
})

/** Start of the next archive: a home and a position among its events. */
const place = v.pipe(v.string(), v.regex(/^[\w-]{1,64}:\d{1,20}$/))
const takeId = v.pipe(v.string(), v.regex(/^[\da-f]{40}$/))
/** IANA time zone for file names and the times in tables. */
export const zone = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_+/-]{1,64}$/))

/**
 * Prepares the archive that starts at `after` ('': the first one), oldest events first. Repeat the call until `state`
 * is `ready`, because each call reads only a part of the clips. `url` then works as in `exportClips` (Range, one hour);
 * the content stays fixed for a day. 404: nothing to export.
 */
export const exportAccountData = call(
  'EXT-take',
  'POST',
  '/extension/take',
  'extension',
  {
    request: v.object({ zone, after: v.optional(v.union([v.literal(''), place]), '') }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({ state: v.literal('preparing'), ready: v.number(), total: v.number() }),
        v.object({
          state: v.literal('ready'),
          take_id: takeId,
          url: v.string(),
          bytes: v.number(),
          clips: v.number(),
          /** Start of the next archive; null: this was the last one. */
          next: v.nullable(text(90)),
        }),
      ]),
    ),
  },
  { nonce: true },
)

/** Returns a new URL of a prepared archive, to resume a download: the same bytes. 404: the archive no longer exists. */
export const takeAddress = call('EXT-take-address', 'GET', '/extension/take-address', 'extension', {
  request: v.object({ take_id: takeId }),
  response: envelope(200, v.object({ url: v.string(), bytes: v.number() })),
})
