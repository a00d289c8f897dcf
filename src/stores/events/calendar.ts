import { atom, computed } from 'nanostores'
import { DEFAULT_CALENDAR_PANELS } from '../../../contract/wire/constants.ts'
import type { QuickRange } from '../../domain/time/date-range.ts'
import { $eventUrl } from './event-url.ts'

/** Number of months that the calendar shows side by side (STORE-18). */
export const $calendarPanels = atom<number>(DEFAULT_CALENDAR_PANELS)

/** Selected quick range; null if days of the calendar are selected (STORE-18). */
export const $selectedQuickRange = computed($eventUrl, ({ filter }): QuickRange | null =>
  typeof filter.range === 'object' ? null : filter.range,
)
