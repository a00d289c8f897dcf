import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, text } from '../wire/envelope.ts'

/**
 * Data export of an account: a table of the events that its plan shows, the clips of these events, and its invoices.
 */

/**
 * Maximum number of clips and of events per archive. The provider can read only a limited amount of data and open only
 * a limited number of clips per response.
 */
export const DATA_EXPORT_CLIPS_MAX = 900
export const DATA_EXPORT_EVENTS_MAX = 2000

/** Returns the size of the data export for the homes that the account owns. */
export const getDataExportSize = call('EXT-take-size', 'GET', '/extension/take', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      clips: v.number(),
      events: v.number(),
      bills: v.number(),
      /** Total size of the clips. `about`: true if the total is an estimate, because some sizes are unknown. */
      bytes: v.number(),
      about: v.boolean(),
      /**
       * Expected number of archives. Each has at most `EXPORT_BYTES_MAX` bytes of clips, `DATA_EXPORT_CLIPS_MAX` clips
       * and `DATA_EXPORT_EVENTS_MAX` events.
       */
      archives: v.number(),
    }),
  ),
})

/** Start of the next archive: home id and document id of the last event in the previous archive. */
const exportPosition = v.pipe(v.string(), v.regex(/^[\w-]{1,64}:\d{1,20}$/))
const dataExportId = v.pipe(v.string(), v.regex(/^[\da-f]{40}$/))
/** IANA time zone for file names and the times in tables. */
export const zone = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_+/-]{1,64}$/))

/**
 * Prepares the archive that starts at `after` ('': first archive). Repeat the call until `state` is `ready`, because
 * each call reads only some clips. `url` is valid for an hour. 404: nothing to export.
 */
export const exportAccountData = call(
  'EXT-take',
  'POST',
  '/extension/take',
  'extension',
  {
    request: v.object({ zone, after: v.optional(v.union([v.literal(''), exportPosition]), '') }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({ state: v.literal('preparing'), ready: v.number(), total: v.number() }),
        v.object({
          state: v.literal('ready'),
          take_id: dataExportId,
          url: v.string(),
          bytes: v.number(),
          clips: v.number(),
          /** Start of the next archive; null for the last archive. */
          next: v.nullable(text(90)),
        }),
      ]),
    ),
  },
  { nonce: true },
)

/**
 * Returns a new URL of a prepared archive, so that a page can resume its download. The bytes of the archive do not
 * change. 404: the account has no archive with this id, or the archive has expired.
 */
export const getDataExportUrl = call('EXT-take-address', 'GET', '/extension/take-address', 'extension', {
  request: v.object({ take_id: dataExportId }),
  response: envelope(200, v.object({ url: v.string(), bytes: v.number() })),
})
