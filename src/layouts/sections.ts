import { CalendarDays, Cctv, CircleUserRound } from 'lucide-react'

/** The three entries of the top navigation, in their order (NAV-01). */
export const SECTIONS = [
  { id: 'cameras', label: 'Cameras', href: '/live', icon: Cctv },
  { id: 'events', label: 'Events', href: '/events', icon: CalendarDays },
  { id: 'account', label: 'Account', href: '/account/services', icon: CircleUserRound },
] as const
