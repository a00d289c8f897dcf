import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import AudioLines from 'lucide-react/icons/audio-lines'
import Baby from 'lucide-react/icons/baby'
import BellRing from 'lucide-react/icons/bell-ring'
import Cat from 'lucide-react/icons/cat'
import Dog from 'lucide-react/icons/dog'
import GlassWater from 'lucide-react/icons/glass-water'
import MessageCircle from 'lucide-react/icons/message-circle'
import ScanFace from 'lucide-react/icons/scan-face'
import Siren from 'lucide-react/icons/siren'
import Workflow from 'lucide-react/icons/workflow'
import { QUICK_TAG_ICONS } from './quick-tag-icons.ts'

const TAG_ICONS: Readonly<Record<string, LucideIcon>> = {
  ...QUICK_TAG_ICONS,
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
