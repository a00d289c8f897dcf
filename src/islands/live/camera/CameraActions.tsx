import { useStore } from '@nanostores/react'
import Camera from 'lucide-react/icons/camera'
import Maximize from 'lucide-react/icons/maximize'
import PictureInPicture2 from 'lucide-react/icons/picture-in-picture-2'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { RefObject } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { saveCameraSnapshot } from '../../../stores/live/save-snapshot.ts'
import { $tileAudioByCamera, setTileAudio } from '../../../stores/live/tile-audio.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { getLiveView } from '../../../stores/live/live-tiles.ts'
import { togglePictureInPicture } from '../parts/TileControls.tsx'
import { toggleTileFullScreen } from '../parts/page-shortcuts.ts'

interface CameraActionsProps {
  camera: Device
  isPlaying: boolean
  container: RefObject<HTMLElement | null>
}

export function CameraActions({ camera, isPlaying, container }: CameraActionsProps) {
  const { device_id } = camera
  const hasSound = useStore($streams, { keys: [device_id], deps: [device_id] })[device_id]?.audio === true
  const isSoundOn = useStore($tileAudioByCamera, { keys: [device_id], deps: [device_id] })[device_id] === true
  if (!isPlaying) return null
  return (
    <div className="one-actions">
      {hasSound && (
        <ActionButton
          label="Sound"
          shortcutKey="m"
          Icon={isSoundOn ? Volume2 : VolumeX}
          isOn={isSoundOn}
          onClick={() => setTileAudio(device_id, !isSoundOn)}
        />
      )}
      <ActionButton label="Snapshot" shortcutKey="s" Icon={Camera} onClick={() => void saveCameraSnapshot(camera)} />
      {document.pictureInPictureEnabled && (
        <ActionButton
          label="Picture in picture"
          shortcutKey="p"
          Icon={PictureInPicture2}
          onClick={() => void togglePictureInPicture(getLiveView(device_id).video)}
        />
      )}
      {document.fullscreenEnabled && (
        <ActionButton
          label="Full screen"
          shortcutKey="f"
          Icon={Maximize}
          onClick={() => toggleTileFullScreen(container.current)}
        />
      )}
    </div>
  )
}

interface ActionButtonProps {
  label: string
  shortcutKey: string
  Icon: typeof Camera
  isOn?: boolean
  onClick: () => void
}

function ActionButton({ label, shortcutKey, Icon, isOn, onClick }: ActionButtonProps) {
  return (
    <button type="button" aria-pressed={isOn} title={`${label} (${shortcutKey})`} onClick={onClick}>
      <i>
        <Icon size={18} aria-hidden="true" />
      </i>
      <span>{label}</span>
    </button>
  )
}
