import { CLIP_KEYS } from '../storage/clip-keys.ts'
import { keptFlag } from '../storage/persistent-atoms.ts'

/** True if the player draws outlines around detections. */
export const $showFound = keptFlag(CLIP_KEYS.showFound, true)
