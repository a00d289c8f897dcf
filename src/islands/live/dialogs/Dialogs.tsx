import type { LiveDialogState } from '../../../stores/live/camera-dialog.ts'
import { AddDialog } from '../add-camera/AddDialog.tsx'
import { CameraDialog } from './CameraDialog.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { LayoutsDialog } from './LayoutsDialog.tsx'

export function Dialogs({ open }: { open: LiveDialogState }) {
  if (open.kind === 'filter') return <FilterDialog />
  if (open.kind === 'keys') return <ShortcutsDialog />
  if (open.kind === 'layouts') return <LayoutsDialog />
  if (open.kind === 'add') return <AddDialog />
  return <CameraDialog key={open.deviceId} deviceId={open.deviceId} section={open.section} />
}
