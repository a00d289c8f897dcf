import { atom, computed } from 'nanostores'
import { DEFAULT_CALENDAR_PANELS } from '../../../contract/wire/constants.ts'
import type { QuickRange } from '../../domain/time/date-range.ts'
import { $address } from './event-url.ts'

/** How many months the calendar shows beside each other (STORE-18). */
export const $calendarPanels = atom<number>(DEFAULT_CALENDAR_PANELS)

/** The quick range that is chosen, null while days of the calendar are (STORE-18). */
export const $calendarType = computed($address, ({ filter }): QuickRange | null =>
  typeof filter.range === 'object' ? null : filter.range,
)
