import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import AudioLines from 'lucide-react/icons/audio-lines'
import ScanFace from 'lucide-react/icons/scan-face'
import type { FilterKind } from '../../../domain/events/event-types.ts'

export const FILTER_KIND_LABELS: Readonly<Record<FilterKind, { name: string; Icon: LucideIcon }>> = {
  motion: { name: 'Motion', Icon: Activity },
  sound: { name: 'Sound', Icon: AudioLines },
  face: { name: 'Face', Icon: ScanFace },
}
