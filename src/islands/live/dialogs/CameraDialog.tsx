import { useStore } from '@nanostores/react'
import Users from 'lucide-react/icons/users'
import { useEffect, useState } from 'react'
import {
  $openDialog,
  $unsaved,
  closeDialog,
  openCamera,
  CAMERA_DIALOG_SECTIONS,
  type CameraDialogSection,
} from '../../../stores/live/camera-dialog.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { $tiles, getTile } from '../../../stores/live/live-tiles.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { stateWord } from '../parts/tile-labels.ts'
import { Details } from './ConnectionDetails.tsx'
import { PictureSection } from './QualitySection.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { SharingSection } from './SharingSection.tsx'

const WORDS: Record<CameraDialogSection, string> = {
  picture: 'Picture',
  details: 'Details',
  settings: 'Settings',
  sharing: 'Sharing',
}
/** Sections for owners only. */
const OWNERS: readonly CameraDialogSection[] = ['settings', 'sharing']

export function CameraDialog({ deviceId, section }: { deviceId: string; section: CameraDialogSection }) {
  const camera = useStore($liveCameras).find(({ device_id }) => device_id === deviceId)
  const tile = getTile(useStore($tiles), deviceId)
  // The camera was removed or is no longer shared, so there is nothing left to show.
  useEffect(() => {
    if (!camera) closeDialog()
  }, [camera])
  const isUnsaved = useStore($unsaved)
  const [wish, setWish] = useState<(() => void) | null>(null)
  if (!camera) return null
  // The first attempt to leave with unsaved changes asks for confirmation; a second attempt discards them.
  const leave = (go: () => void) => (isUnsaved && !wish ? setWish(() => go) : (setWish(null), go()))
  const isOwn = camera.user_role === OWNER
  const sections = CAMERA_DIALOG_SECTIONS.filter((sectionName) => isOwn || !OWNERS.includes(sectionName))
  const activeSection = sections.includes(section) ? section : 'picture'
  return (
    <Dialog
      title={camera.nickname}
      note={
        <p className="camera-note">
          <span className="badge">{capital(stateWord(tile))}</span>
          {!isOwn && (
            <span className="badge badge-primary">
              <Users size={14} aria-hidden="true" />
              Shared with you
            </span>
          )}
        </p>
      }
      onClose={() => $openDialog.get() && leave(closeDialog)}
    >
      <div className="seg camera-sections" role="group" aria-label="Sections">
        {sections.map((sectionName) => (
          <button
            key={sectionName}
            type="button"
            aria-pressed={sectionName === activeSection}
            onClick={() => sectionName !== activeSection && leave(() => openCamera(deviceId, sectionName))}
          >
            {WORDS[sectionName]}
          </button>
        ))}
      </div>
      {wish && isUnsaved && <Unsaved leave={() => leave(wish)} stay={() => setWish(null)} />}
      {!isOwn && <p className="text-small">Its owner sees in which hours you watch it, live or clips.</p>}
      <CameraSection section={activeSection} camera={camera} />
    </Dialog>
  )
}

/** Asks for confirmation before changes are discarded. */
function Unsaved({ leave, stay }: { leave: () => void; stay: () => void }) {
  return (
    <div className="unsaved" role="alertdialog" aria-labelledby="unsaved-title">
      <b id="unsaved-title">Your changes are not saved yet.</b>
      <span className="pair">
        <button type="button" className="btn btn-sm btn-primary" autoFocus onClick={stay}>
          Keep editing
        </button>
        <button type="button" className="btn btn-sm btn-outline" onClick={leave}>
          Drop them
        </button>
      </span>
    </div>
  )
}

function CameraSection({ section, camera }: { section: CameraDialogSection; camera: Device }) {
  if (section === 'details') return <Details camera={camera} />
  if (section === 'settings') return <SettingsSection camera={camera} />
  if (section === 'sharing') return <SharingSection camera={camera} />
  return <PictureSection camera={camera} />
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
