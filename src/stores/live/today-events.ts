import { atom } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'

/** Events since local midnight, newest first; null until they are known. */
export const $today = atom<readonly Event[] | null>(null)

/** They were asked for and did not come. */
export const $isTodayLost = atom(false)
