import { useStore } from '@nanostores/react'
import Camera from 'lucide-react/icons/camera'
import Maximize from 'lucide-react/icons/maximize'
import PictureInPicture2 from 'lucide-react/icons/picture-in-picture-2'
import Settings from 'lucide-react/icons/settings'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { ReactNode, RefObject } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { openCameraDialog } from '../../../stores/live/camera-dialog.ts'
import { saveCameraSnapshot } from '../../../stores/live/save-snapshot.ts'
import { $tileAudioByCamera, setTileAudio } from '../../../stores/live/tile-audio.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { getLiveView } from '../../../stores/live/live-tiles.ts'
import { toggleTileFullScreen } from './page-shortcuts.ts'

interface TileControlsProps {
  camera: Device
  isPlaying: boolean
  tileRef: RefObject<HTMLLIElement | null>
}

/** Buttons of a tile, shown on hover or focus. Touch screens and very small tiles do not show them. */
export function TileControls({ camera, isPlaying, tileRef }: TileControlsProps) {
  const deviceId = camera.device_id
  const hasSound = useStore($streams, { keys: [deviceId], deps: [deviceId] })[deviceId]?.audio === true
  return (
    <div className="live-controls">
      {isPlaying && hasSound && <SoundButton deviceId={deviceId} />}
      {isPlaying && (
        <ControlButton name="Snapshot" kind="snapshot" onClick={() => void saveCameraSnapshot(camera)}>
          <Camera size={18} aria-hidden="true" />
        </ControlButton>
      )}
      {isPlaying && document.pictureInPictureEnabled && (
        <ControlButton
          name="Picture in picture"
          kind="pip"
          onClick={() => void togglePictureInPicture(getLiveView(deviceId).video)}
        >
          <PictureInPicture2 size={18} aria-hidden="true" />
        </ControlButton>
      )}
      <ControlButton name="Camera settings and details" kind="settings" onClick={() => openCameraDialog(deviceId)}>
        <Settings size={18} aria-hidden="true" />
      </ControlButton>
      {isPlaying && document.fullscreenEnabled && (
        <ControlButton
          name="Full screen"
          shortcut=" (f)"
          kind="full"
          onClick={() => toggleTileFullScreen(tileRef.current)}
        >
          <Maximize size={18} aria-hidden="true" />
        </ControlButton>
      )}
    </div>
  )
}

function SoundButton({ deviceId }: { deviceId: string }) {
  const isOn = useStore($tileAudioByCamera, { keys: [deviceId], deps: [deviceId] })[deviceId] === true
  const Icon = isOn ? Volume2 : VolumeX
  return (
    <ControlButton
      name={isOn ? 'Mute' : 'Unmute'}
      shortcut=" (m)"
      kind="sound"
      onClick={() => setTileAudio(deviceId, !isOn)}
    >
      <Icon size={18} aria-hidden="true" />
    </ControlButton>
  )
}

interface ControlButtonProps {
  name: string
  shortcut?: string
  kind: string
  onClick: () => void
  children: ReactNode
}

function ControlButton({ name, shortcut = '', kind, onClick, children }: ControlButtonProps) {
  return (
    <button
      type="button"
      className="tile-btn"
      data-kind={kind}
      aria-label={name}
      title={name + shortcut}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

export async function togglePictureInPicture(video: HTMLVideoElement): Promise<void> {
  try {
    if (document.pictureInPictureElement === video) await document.exitPictureInPicture()
    else await video.requestPictureInPicture()
  } catch {
    // The browser rejected the request, for example because there is no frame yet. The tile does not change.
  }
}
