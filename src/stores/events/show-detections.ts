import { CLIP_KEYS } from '../storage/clip-keys.ts'
import { persistentFlag } from '../storage/persistent-atoms.ts'

/** True if the player draws outlines around detections. */
export const $showsDetections = persistentFlag(CLIP_KEYS.showFound, true)
