import { findSps } from '../media/h264/parameter-sets.ts'

/**
 * `profile_idc` values that browsers cannot play: CAVLC 4:4:4, Extended, High 10, High 4:2:2, High 4:4:4 (H.264 annex
 * A.2).
 */
const UNPLAYABLE_PROFILES: readonly number[] = [44, 88, 110, 122, 244]

/** Returns true if browsers can play a frame with these NAL units, or if the frame carries no SPS. */
export function isPlayable(nals: readonly Buffer[]): boolean {
  return !UNPLAYABLE_PROFILES.includes(findSps(nals)?.[1] ?? 0)
}
