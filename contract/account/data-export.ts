import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, text } from '../wire/envelope.ts'

/** Everything that an account owns, to take away: the clips that its plan shows, a table of its events, and its bills. */

/** An archive holds at most so many clips, and the table of so many events: what one answer reads and one download opens. */
export const TAKE_CLIPS_MAX = 900
export const TAKE_EVENTS_MAX = 2000

/** What is there to take from the homes that the account owns. Reading it changes nothing. */
export const getTake = call('EXT-take-size', 'GET', '/extension/take', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      clips: v.number(),
      events: v.number(),
      bills: v.number(),
      /** Of the clips; `about`: the length of some of them is not known yet. */
      bytes: v.number(),
      about: v.boolean(),
      /** How many archives it comes in: each has at most `EXPORT_BYTES_MAX` bytes, `TAKE_CLIPS_MAX` clips and `TAKE_EVENTS_MAX` events. */
      archives: v.number(),
    }),
  ),
})

/** A home and a place among its events, where the next archive begins. */
const place = v.pipe(v.string(), v.regex(/^[\w-]{1,64}:\d{1,20}$/))
/** Names an archive that was made. */
const takeId = v.pipe(v.string(), v.regex(/^[\da-f]{40}$/))
/** An IANA time zone: names of files and times of tables are as clocks there show them. */
export const zone = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_+/-]{1,64}$/))

/**
 * Makes the archive that begins at `after` ('': the first one), the oldest events first. Ask again with the same input until
 * `state` is `ready`: each turn reads some of the clips. Then `url` answers it as that of `exportClips` does (Range, an hour);
 * what is in it stands for a day. 404: there is nothing to take.
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
          /** Where the next archive begins; null: this was the last one. */
          next: v.nullable(text(90)),
        }),
      ]),
    ),
  },
  { nonce: true },
)

/** A fresh address of an archive that was made, for a download to go on: the same bytes. 404: it is not there any more. */
export const takeAddress = call('EXT-take-address', 'GET', '/extension/take-address', 'extension', {
  request: v.object({ take_id: takeId }),
  response: envelope(200, v.object({ url: v.string(), bytes: v.number() })),
})
