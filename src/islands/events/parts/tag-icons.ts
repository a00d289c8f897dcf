import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import AudioLines from 'lucide-react/icons/audio-lines'
import Baby from 'lucide-react/icons/baby'
import BellRing from 'lucide-react/icons/bell-ring'
import Car from 'lucide-react/icons/car'
import Cat from 'lucide-react/icons/cat'
import Dog from 'lucide-react/icons/dog'
import GlassWater from 'lucide-react/icons/glass-water'
import MessageCircle from 'lucide-react/icons/message-circle'
import Package from 'lucide-react/icons/package'
import PawPrint from 'lucide-react/icons/paw-print'
import PersonStanding from 'lucide-react/icons/person-standing'
import ScanFace from 'lucide-react/icons/scan-face'
import Siren from 'lucide-react/icons/siren'
import Workflow from 'lucide-react/icons/workflow'

const TAG_ICONS: Readonly<Record<string, LucideIcon>> = {
  activity: Activity,
  'person-standing': PersonStanding,
  car: Car,
  'paw-print': PawPrint,
  package: Package,
  'audio-lines': AudioLines,
  cat: Cat,
  dog: Dog,
  baby: Baby,
  'message-circle': MessageCircle,
  siren: Siren,
  'glass-water': GlassWater,
  'bell-ring': BellRing,
  workflow: Workflow,
  'scan-face': ScanFace,
}

export function getTagIcon(name: string): LucideIcon {
  return TAG_ICONS[name] ?? Activity
}
