import { findSps } from '../media/h264/parameter-sets.ts'

/** profile_idc of what browsers do not play: CAVLC 4:4:4, Extended, High 10, High 4:2:2, High 4:4:4 (H.264 annex A.2). */
const UNPLAYABLE: readonly number[] = [44, 88, 110, 122, 244]

/** Whether browsers can play a picture with these NAL units; one without parameters is like the one before. */
export function isPlayable(nals: readonly Buffer[]): boolean {
  return !UNPLAYABLE.includes(findSps(nals)?.[1] ?? 0)
}
