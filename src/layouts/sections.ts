import CalendarDays from 'lucide-react/icons/calendar-days'
import Cctv from 'lucide-react/icons/cctv'
import CircleUserRound from 'lucide-react/icons/circle-user-round'
import { NAVIGATION_ENTRIES } from '../boot/page/page-metadata.ts'

const SECTION_ICONS = { cameras: Cctv, events: CalendarDays, account: CircleUserRound } as const

/** The three entries of the top navigation, in their order (NAV-01). */
export const SECTIONS = NAVIGATION_ENTRIES.map((entry) => ({ ...entry, icon: SECTION_ICONS[entry.id] }))
