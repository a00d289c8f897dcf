import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import Car from 'lucide-react/icons/car'
import Package from 'lucide-react/icons/package'
import PawPrint from 'lucide-react/icons/paw-print'
import PersonStanding from 'lucide-react/icons/person-standing'

/** Icons of motion and of the quick tags. The list shows them first; the other icons load later (tag-icons.ts). */
export const QUICK_TAG_ICONS: Readonly<Record<string, LucideIcon>> = {
  activity: Activity,
  'person-standing': PersonStanding,
  car: Car,
  'paw-print': PawPrint,
  package: Package,
}
