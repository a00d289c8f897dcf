import { useStore } from '@nanostores/react'
import Users from 'lucide-react/icons/users'
import { useEffect, useState } from 'react'
import {
  $openDialog,
  $hasUnsavedChanges,
  closeLiveDialog,
  openCameraDialog,
  CAMERA_DIALOG_SECTIONS,
  type CameraDialogSection,
} from '../../../stores/live/camera-dialog.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { $tiles, getTileState } from '../../../stores/live/live-tiles.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { getStateLabel } from '../parts/tile-labels.ts'
import { ConnectionDetails } from './ConnectionDetails.tsx'
import { QualitySection } from './QualitySection.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { SharingSection } from './SharingSection.tsx'

const SECTION_NAMES: Record<CameraDialogSection, string> = {
  picture: 'Video',
  details: 'Details',
  settings: 'Settings',
  sharing: 'Sharing',
}
const OWNER_SECTIONS: readonly CameraDialogSection[] = ['settings', 'sharing']

export function CameraDialog({ deviceId, section }: { deviceId: string; section: CameraDialogSection }) {
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === deviceId)
  const tile = getTileState(useStore($tiles), deviceId)
  const stateLabel = getStateLabel(tile)
  // Closes the dialog if the camera was removed or is no longer shared.
  useEffect(() => {
    if (!camera) closeLiveDialog()
  }, [camera])
  const isUnsaved = useStore($hasUnsavedChanges)
  const [pendingAction, setPendingAction] = useState<(() => void) | null>(null)
  if (!camera) return null
  // The first attempt to leave with unsaved changes asks for confirmation; a second attempt discards them.
  const leave = (action: () => void) =>
    isUnsaved && !pendingAction ? setPendingAction(() => action) : (setPendingAction(null), action())
  const isOwner = camera.user_role === OWNER_ROLE
  const sections = CAMERA_DIALOG_SECTIONS.filter((sectionName) => isOwner || !OWNER_SECTIONS.includes(sectionName))
  const activeSection = sections.includes(section) ? section : 'picture'
  return (
    <Dialog
      title={camera.nickname}
      note={
        <p className="camera-note">
          <span className={stateLabel === 'live' ? 'badge badge-success' : 'badge'}>{capitalize(stateLabel)}</span>
          {!isOwner && (
            <span className="badge badge-primary">
              <Users size={14} aria-hidden="true" />
              Shared with you
            </span>
          )}
        </p>
      }
      onClose={() => $openDialog.get() && leave(closeLiveDialog)}
    >
      <div className="seg camera-sections" role="group" aria-label="Sections">
        {sections.map((sectionName) => (
          <button
            key={sectionName}
            type="button"
            aria-pressed={sectionName === activeSection}
            onClick={() => sectionName !== activeSection && leave(() => openCameraDialog(deviceId, sectionName))}
          >
            {SECTION_NAMES[sectionName]}
          </button>
        ))}
      </div>
      {pendingAction && isUnsaved && (
        <UnsavedChanges leave={() => leave(pendingAction)} onStay={() => setPendingAction(null)} />
      )}
      {!isOwner && <p className="text-small">The owner can see when you watch live or play clips.</p>}
      <CameraSection section={activeSection} camera={camera} />
    </Dialog>
  )
}

function UnsavedChanges({ leave, onStay }: { leave: () => void; onStay: () => void }) {
  return (
    <div className="unsaved" role="alertdialog" aria-labelledby="unsaved-title">
      <b id="unsaved-title">You have unsaved changes.</b>
      <span className="pair">
        <button type="button" className="btn btn-sm btn-primary" autoFocus onClick={onStay}>
          Keep editing
        </button>
        <button type="button" className="btn btn-sm btn-outline" onClick={leave}>
          Discard changes
        </button>
      </span>
    </div>
  )
}

function CameraSection({ section, camera }: { section: CameraDialogSection; camera: Device }) {
  if (section === 'details') return <ConnectionDetails camera={camera} />
  if (section === 'settings') return <SettingsSection camera={camera} />
  if (section === 'sharing') return <SharingSection camera={camera} />
  return <QualitySection camera={camera} />
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
