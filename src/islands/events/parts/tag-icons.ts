import {
  Activity,
  AudioLines,
  Baby,
  BellRing,
  Car,
  Cat,
  Dog,
  GlassWater,
  type LucideIcon,
  MessageCircle,
  Package,
  PawPrint,
  PersonStanding,
  ScanFace,
  Siren,
  Workflow,
} from 'lucide-react'
import type { FilterKind } from '../../../domain/event-types.ts'

const ICONS: Readonly<Record<string, LucideIcon>> = {
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

/** The picture of a tag by the icon name that the tag table gives it. */
export function tagIcon(name: string): LucideIcon {
  return ICONS[name] ?? Activity
}

export const KINDS: Readonly<Record<FilterKind, { name: string; Icon: LucideIcon }>> = {
  motion: { name: 'Motion', Icon: Activity },
  sound: { name: 'Sound', Icon: AudioLines },
  face: { name: 'Face', Icon: ScanFace },
}
