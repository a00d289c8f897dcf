import { cameraState } from '../cameras/devices.ts'
import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'

/**
 * State of a camera at one point in time.
 * `recorded`: the account can play a clip. `live_only`: the camera was on, but it recorded nothing.
 * `not_watched`: the camera was on without motion detection. `not_kept`: the plan hides the clip by its age or event
 * type.
 * `expired`: retention, the limit in days or the owner has deleted the clip. `freed`: the clip was deleted to free up
 * space.
 * `not_indexed`: the bridge has not uploaded the recording yet, or has not yet reported what happened at this time.
 * `unknown`: the state is not known, or the time is in the future.
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
  'freed',
  'not_indexed',
  'not_watched',
  'unknown',
])
export type TimelineState = v.InferOutput<typeof timelineState>

/**
 * `[from, to, state, reason]`: times in ms UTC, `to` exclusive. `reason`: explanation for people; '' only for
 * `recorded`.
 */
export const timelineSegment = v.tuple([timestampMs, timestampMs, timelineState, text(300)])
export type TimelineRun = v.InferOutput<typeof timelineSegment>

/**
 * Returns the timeline of each camera: spans without gaps from `begin_time` to `end_time`, oldest first. Adjacent spans
 * differ in state or reason. A range above `EVENT_SPAN_MAX_MS` fails with code 3056. 404: the account cannot see one of
 * the cameras.
 */
export const timeline = call(
  'EXT-timeline',
  'POST',
  '/extension/timeline',
  'extension',
  {
    request: v.object({
      device_ids: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(99)),
      begin_time: timestampMs,
      end_time: timestampMs,
    }),
    response: envelope(
      200,
      v.object({ devices: v.array(v.object({ device_id: deviceId, runs: v.array(timelineSegment) })) }),
    ),
  },
  { nonce: true },
)

/**
 * Returns the state history of a camera: consecutive time spans without gaps, oldest first, limited to the requested
 * range and to now. Empty if the range ends before the camera's first recorded state.
 */
export const cameraStates = call(
  'EXT-camera-states',
  'POST',
  '/extension/camera-states',
  'extension',
  {
    request: v.object({ device_id: deviceId, begin_time: timestampMs, end_time: timestampMs }),
    response: envelope(
      200,
      v.object({
        runs: v.array(v.object({ from: timestampMs, to: timestampMs, state: cameraState, reason: text(300) })),
      }),
    ),
  },
  { nonce: true },
)

export const EVENT_RESTORE_MS = 600_000
const eventIds = v.object({ event_ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(2000)) })

/**
 * Removes events of the account's own cameras from every list. `restoreEvents` can restore these events until
 * `restore_until` (ms UTC); after that, their clips and images are deleted. 403: the account can see some of the
 * events, but owns none of their cameras. 404: the account can see none of the events.
 */
export const deleteEvents = call(
  'EXT-events-delete',
  'POST',
  '/extension/events-delete',
  'extension',
  { request: eventIds, response: envelope(200, v.object({ deleted: v.number(), restore_until: timestampMs })) },
  { nonce: true },
)
/**
 * Restores deleted events. The feed sends an `event` message for each restored event that the plan of its camera does
 * not hide. 404: none of the events can be restored.
 */
export const restoreEvents = call(
  'EXT-events-restore',
  'POST',
  '/extension/events-restore',
  'extension',
  { request: eventIds, response: envelope(200, v.object({ restored: v.number() })) },
  { nonce: true },
)

/**
 * Returns deletions of the last 90 days in the account's own homes, newest first. `plan`: no plan retained the events
 * at any time in the two weeks before the deletion. `space`: the limit of a camera in
 * bytes or the storage limit was exceeded. `limit`: the events were older than the limit of a camera in days. `deleted`: the owner
 * deleted the events, and the time to restore them has passed.
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
          /** Time of the last retention run; null: retention has never run. */
          last_run: v.nullable(timestampMs),
          deleted: v.array(
            v.object({
              at: timestampMs,
              reason: v.picklist(['plan', 'space', 'limit', 'deleted']),
              events: v.number(),
              clips: v.number(),
            }),
          ),
        }),
      ),
    }),
  ),
})

/**
 * File name inside the archive. The provider makes the name valid on every operating system and unique in the archive.
 */
const fileName = v.pipe(v.string(), v.regex(/^[^\\/:*?"<>|\p{Cc}.][^\\/:*?"<>|\p{Cc}]{0,119}$/u))

/**
 * Maximum bytes of clips per archive. It is below 4 GB, because larger zip files need the Zip64 format, which not all
 * tools read.
 */
export const EXPORT_BYTES_MAX = 2_000_000_000

/**
 * Creates one zip of many clips. Repeat the request with the same files until `state` is `ready`, because one request
 * may read only a part of the clips. `url` (absolute, signed, valid for one hour) then returns the archive of `bytes`
 * bytes and supports ETag, Range and If-Range. The same files give the same bytes, so downloads can resume. `missing`:
 * events without a visible clip. 404: no event has a visible clip; 400: the clips exceed `EXPORT_BYTES_MAX`.
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
