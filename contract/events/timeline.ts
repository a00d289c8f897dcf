import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, ms, text } from '../wire/envelope.ts'

/**
 * What a second of a camera can be. `recorded`: a clip of it plays. `live_only`: the camera was on, its bridge watched, and nothing
 * was recorded. `not_watched`: the camera was on, but nobody looked for motion.
 * `not_kept`: a clip was recorded that the plan does not keep, too long ago for it or of a kind that it leaves out. `expired`: a clip was recorded and has been deleted since, by
 * the plan's retention, for want of space or by its owner. `not_indexed`: being recorded, its clip is on its way, or the bridge has
 * not said yet what was.
 * `unknown`: nobody was there to know, or it has not happened yet.
 */
export const timelineState = v.picklist([
  'recorded',
  'live_only',
  'asleep',
  'offline',
  'switched_off',
  'bridge_off',
  'not_kept',
  'expired',
  'not_indexed',
  'not_watched',
  'unknown',
])
export type TimelineState = v.InferOutput<typeof timelineState>

/** `[from, to, state, reason]`: ms UTC, `to` excluded; the reason is one sentence, never empty but for `recorded`. */
export const timelineRun = v.tuple([ms, ms, timelineState, text(300)])
export type TimelineRun = v.InferOutput<typeof timelineRun>

/**
 * What each camera did in every millisecond of a range: gapless runs, oldest first, that begin at `begin_time`, end at
 * `end_time` and sum to the range; two neighbours differ. Longer than `EVENT_SPAN_MAX_MS`: code 3056.
 */
export const timeline = call(
  'EXT-timeline',
  'POST',
  '/extension/timeline',
  'extension',
  {
    request: v.object({
      device_ids: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(99)),
      begin_time: ms,
      end_time: ms,
    }),
    response: envelope(
      200,
      v.object({ devices: v.array(v.object({ device_id: deviceId, runs: v.array(timelineRun) })) }),
    ),
  },
  { nonce: true },
)

/** How long a deleted event can be brought back. */
export const UNDO_MS = 600_000
const eventIds = v.object({ event_ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(2000)) })

/**
 * Takes events off every list at once (`removed` in the feed); until `restore_until` (ms UTC) they can be brought back, then
 * clip and picture are deleted. Events of cameras that the account does not own stay; 403 when none is left, 404 when none is
 * an event that it may see.
 */
export const deleteEvents = call(
  'EXT-events-delete',
  'POST',
  '/extension/events-delete',
  'extension',
  { request: eventIds, response: envelope(200, v.object({ deleted: v.number(), restore_until: ms })) },
  { nonce: true },
)
/** Brings deleted events back (`event` in the feed for each). 404 when there is none to be brought back by this account. */
export const restoreEvents = call(
  'EXT-events-restore',
  'POST',
  '/extension/events-restore',
  'extension',
  { request: eventIds, response: envelope(200, v.object({ restored: v.number() })) },
  { nonce: true },
)

/**
 * What was deleted by itself in the homes that the account owns, newest first, the last 90 days. `reason`: `plan`, not kept by
 * any plan for two weeks;  `space`, the oldest clips when the storage was full; `deleted`, by the owner, once it could not be brought back.
 */
export const getRetention = call('EXT-retention', 'GET', '/extension/retention', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      homes: v.array(
        v.object({
          home_id: id,
          days: v.number(),
          /** When it was last looked through; null: never. */
          last_run: v.nullable(ms),
          deleted: v.array(
            v.object({
              at: ms,
              reason: v.picklist(['plan', 'space', 'deleted']),
              events: v.number(),
              clips: v.number(),
            }),
          ),
        }),
      ),
    }),
  ),
})

/** A file name inside the archive; the provider makes it one that every system stores, and tells two of the same name apart. */
const fileName = v.pipe(v.string(), v.regex(/^[^\\/:*?"<>|\p{Cc}.][^\\/:*?"<>|\p{Cc}]{0,119}$/u))

/** An archive holds at most this many bytes of clips: zip files above 4 GB need a newer format that not all tools read. */
export const EXPORT_BYTES_MAX = 2_000_000_000

/**
 * One zip of many clips. Ask again with the same files until `state` is `ready`: each turn reads some of the clips. Then
 * `url` (absolute, signed, an hour) answers the archive: `bytes` long, with ETag, Range and If-Range; asked for anew with
 * the same files it is the same bytes, so that a download goes on where it stopped. `missing`: events without a clip that
 * the account may see, left out. 404 when nothing is left, 400 when it were larger than `EXPORT_BYTES_MAX`.
 */
export const exportClips = call(
  'EXT-export',
  'POST',
  '/extension/export',
  'extension',
  {
    request: v.object({
      files: v.pipe(v.array(v.object({ event_id: id, name: fileName })), v.minLength(1), v.maxLength(500)),
    }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({ state: v.literal('preparing'), ready: v.number(), total: v.number() }),
        v.object({
          state: v.literal('ready'),
          url: v.string(),
          bytes: v.number(),
          files: v.number(),
          missing: v.array(id),
        }),
      ]),
    ),
  },
  { nonce: true },
)
