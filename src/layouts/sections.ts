import { CalendarDays, Cctv, CircleUserRound } from 'lucide-react'
import { ENTRIES } from '../boot/page/page-facts.ts'

const ICONS = { cameras: Cctv, events: CalendarDays, account: CircleUserRound } as const

/** The three entries of the top navigation, in their order (NAV-01). */
export const SECTIONS = ENTRIES.map((entry) => ({ ...entry, icon: ICONS[entry.id] }))
