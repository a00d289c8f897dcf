import { atom } from 'nanostores'
import type { Event } from '../../../contract/events/events.ts'

/** Events since local midnight, newest first; null until loaded. */
export const $todayEvents = atom<readonly Event[] | null>(null)

export const $hasTodayFailed = atom(false)
