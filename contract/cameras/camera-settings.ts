import * as v from 'valibot'
import { id, timestampMs } from '../wire/envelope.ts'

const fraction = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
export const cameraSettings = v.object({
  /** True if motion creates events. */
  motion: v.boolean(),
  /** Sensitivity from 0, which ignores small and weak changes, to 100, which detects the smallest changes. */
  sensitivity: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  /** Motion zones: polygons of [x, y] as fractions of the frame from its top left. Empty: the whole frame. */
  zones: v.pipe(
    v.array(v.pipe(v.array(v.tuple([fraction, fraction])), v.minLength(3), v.maxLength(16))),
    v.maxLength(8),
  ),
})
export type CameraSettings = v.InferOutput<typeof cameraSettings>
export const DEFAULT_CAMERA_SETTINGS: CameraSettings = { motion: true, sensitivity: 50, zones: [] }

/**
 * Motion preview of unsaved settings for the last hour, newest event first. `kept`: existing event that these settings
 * would also detect. `lost`: existing event that they would miss. `new`: additional event, without an id.
 */
export const motionPreview = v.object({
  /** Start of detection coverage within the hour; null: none. */
  since: v.nullable(timestampMs),
  /**
   * Total detection coverage, ms. Excludes time in which the camera was offline, switched off or without motion
   * detection.
   */
  watched_ms: timestampMs,
  events: v.pipe(
    v.array(
      v.object({
        begin: timestampMs,
        end: timestampMs,
        outcome: v.picklist(['kept', 'lost', 'new']),
        event_id: v.nullable(id),
      }),
    ),
    v.maxLength(1000),
  ),
})
export type MotionPreview = v.InferOutput<typeof motionPreview>
