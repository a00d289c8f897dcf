import * as v from 'valibot'
import { deviceId, timestampMs } from '../wire/envelope.ts'

export const COVERAGE_REPORT_INTERVAL_MS = 10_000
/**
 * `spans`: `[from, to, kind]`, ms UTC, oldest first. `watched`: motion detection ran; `motion_off`: the owner had
 * switched motion detection off. `waiting`: `[from, to]` of unacknowledged recordings; the last entry may cover several
 * recordings. `lag_ms`: until the next report, each message of the bridge, heartbeats included, confirms that the last
 * span extends to `lag_ms` before this message.
 */
export const cameraCoverage = v.object({
  device_id: deviceId,
  spans: v.pipe(
    v.array(v.strictTuple([timestampMs, timestampMs, v.picklist(['watched', 'motion_off'])])),
    v.maxLength(8),
  ),
  waiting: v.pipe(v.array(v.strictTuple([timestampMs, timestampMs])), v.maxLength(20)),
  lag_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000))),
})
export type CameraCoverage = v.InferOutput<typeof cameraCoverage>
/** `settled`: true if the next report follows only after a change. */
export const coverageMessage = v.object({
  type: v.literal('watched'),
  cameras: v.array(cameraCoverage),
  settled: v.optional(v.boolean()),
})
export type CoverageMessage = v.InferOutput<typeof coverageMessage>
