import * as v from 'valibot'
import { id, ms } from '../wire/envelope.ts'

const fraction = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
/** What the owner has set for a camera. */
export const cameraSettings = v.object({
  /** Whether motion makes events. */
  motion: v.boolean(),
  /** 0: only what fills the picture, 100: the smallest change. */
  sensitivity: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  /** Where motion counts: polygons of [x, y] as fractions of the picture from its top left. None: everywhere. */
  zones: v.pipe(
    v.array(v.pipe(v.array(v.strictTuple([fraction, fraction])), v.minLength(3), v.maxLength(16))),
    v.maxLength(8),
  ),
})
export type CameraSettings = v.InferOutput<typeof cameraSettings>
export const DEFAULT_CAMERA_SETTINGS: CameraSettings = { motion: true, sensitivity: 50, zones: [] }

/**
 * What settings that are not saved yet would have made of the last hour, as far as the camera was watched: events that
 * there are (`kept`, `lost`) and others (`new`, without an id), the newest first.
 */
export const motionTrial = v.object({
  /** Since when it has been watched within the hour; null: not at all. */
  since: v.nullable(ms),
  /** For how long of it altogether: a camera that was away, off or without motion leaves gaps. */
  watched_ms: ms,
  events: v.pipe(
    v.array(v.object({ begin: ms, end: ms, outcome: v.picklist(['kept', 'lost', 'new']), event_id: v.nullable(id) })),
    v.maxLength(1000),
  ),
})
export type MotionTrial = v.InferOutput<typeof motionTrial>
