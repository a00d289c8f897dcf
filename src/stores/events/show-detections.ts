import { CLIP_KEYS } from '../storage/clip-keys.ts'
import { keptFlag } from '../storage/persistent-atoms.ts'

/** Whether clips outline what was found in them. */
export const $showFound = keptFlag(CLIP_KEYS.showFound, true)
