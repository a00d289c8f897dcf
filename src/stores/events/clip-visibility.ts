import { atom } from 'nanostores'

/**
 * True once the open clip shows a frame, has failed, or loads for long. Slow work waits for this moment, because it
 * would delay the first frame.
 */
export const $isClipShown = atom(false)
