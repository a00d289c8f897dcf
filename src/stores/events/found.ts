import { keptFlag } from '../storage/persistent.ts'
import { KEYS } from '../storage/storage.ts'

/** Whether clips outline what was found in them. */
export const $showFound = keptFlag(KEYS.showFound, true)
