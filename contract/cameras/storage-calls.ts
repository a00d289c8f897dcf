import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'

/** Calls for the storage of clips: usage and limits per camera. No page needs them on first load. */

/** Decimal gigabyte, the unit in which disks are sold and in which owners set limits. */
export const GIGABYTE = 1_000_000_000
export const STORAGE_LIMIT_MAX_BYTES = 100_000 * GIGABYTE

/** Retention period of the plan that keeps clips longest. */
export const STORAGE_LIMIT_MAX_DAYS = 60

const bytes = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Limits that the owner sets. null: no limit, so the plan and the storage of the whole home decide. */
const limits = {
  max_bytes: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(GIGABYTE), v.maxValue(STORAGE_LIMIT_MAX_BYTES))),
  max_days: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(STORAGE_LIMIT_MAX_DAYS))),
}
export type StorageLimits = v.InferOutput<v.ObjectSchema<typeof limits, undefined>>

const cameraStorage = v.object({
  device_id: deviceId,
  nickname: text(120),
  bytes,
  clips: bytes,
  /** Average bytes per day over the last complete days, at most a week; null before the first complete day. */
  bytes_per_day: v.nullable(bytes),
  /** Days of clips that fit at this rate; null if unknown or without a limit. */
  fits_days: v.nullable(v.number()),
  /** Days for which the plan keeps clips: the upper bound of `max_days`. */
  plan_days: v.number(),
  max_bytes: v.nullable(bytes),
  max_days: v.nullable(v.number()),
  /** Clips before this time were deleted to free up space; null: none. */
  freed_until: v.nullable(timestampMs),
})
export type CameraStorage = v.InferOutput<typeof cameraStorage>

const homeStorage = v.object({
  home_id: id,
  bytes,
  /** Days of clips that fit in the cameras without a limit of their own; null if unknown or without a limit. */
  fits_days: v.nullable(v.number()),
  /** Bytes that clips may still use; null without a limit. */
  room_bytes: v.nullable(bytes),
  /** Disk that holds the clips; null if the provider does not run on a computer at home. */
  disk: v.nullable(v.object({ free_bytes: bytes, reserve_bytes: bytes })),
  cameras: v.array(cameraStorage),
})
export type HomeStorage = v.InferOutput<typeof homeStorage>

/** Returns the storage of the homes that the account owns. */
export const getStorage = call('EXT-storage', 'GET', '/extension/storage', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ homes: v.array(homeStorage) })),
})

/** Clips that limits delete. `from` and `until`: times of the oldest and of the newest of these events; null for none. */
const storageDeletion = v.object({
  events: v.number(),
  bytes,
  from: v.nullable(timestampMs),
  until: v.nullable(timestampMs),
})
export type StorageDeletion = v.InferOutput<typeof storageDeletion>

/**
 * Stores the limits of a camera, and returns what they delete, oldest first, within minutes. `preview`: true to store
 * and delete nothing. Errors for non-owners: see contract/cameras/owner-calls.ts.
 */
export const setStorageLimits = call(
  'EXT-set-storage-limits',
  'POST',
  '/extension/storage-limits',
  'extension',
  {
    request: v.object({ device_id: deviceId, ...limits, preview: v.boolean() }),
    response: envelope(200, storageDeletion),
  },
  { nonce: true },
)

/**
 * Response of the computer that runs the provider to a request through the binding `DISK`: free and total bytes of the
 * disk that holds the clips.
 */
export const diskSpace = v.object({ free_bytes: bytes, total_bytes: bytes })
export type DiskSpace = v.InferOutput<typeof diskSpace>
