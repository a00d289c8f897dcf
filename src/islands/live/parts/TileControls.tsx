import { useStore } from '@nanostores/react'
import Maximize from 'lucide-react/icons/maximize'
import PictureInPicture2 from 'lucide-react/icons/picture-in-picture-2'
import Settings from 'lucide-react/icons/settings'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { ReactNode, RefObject } from 'react'
import { openCamera } from '../../../stores/live/camera-dialog.ts'
import { $tileSound, setTileSound } from '../../../stores/live/tile-audio.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { getPicture } from '../../../stores/live/live-tiles.ts'
import { toggleTileFullScreen } from './page-shortcuts.ts'

interface Props {
  deviceId: string
  isPlaying: boolean
  box: RefObject<HTMLLIElement | null>
}

/** Buttons of a tile, shown on hover, focus or tap. */
export function TileControls({ deviceId, isPlaying, box }: Props) {
  const hasSound = useStore($streams, { keys: [deviceId], deps: [deviceId] })[deviceId]?.audio === true
  return (
    <div className="live-controls">
      {isPlaying && hasSound && <Sound deviceId={deviceId} />}
      {isPlaying && document.pictureInPictureEnabled && (
        <Control name="Picture in picture" kind="pip" onPress={() => void float(getPicture(deviceId).video)}>
          <PictureInPicture2 size={18} aria-hidden="true" />
        </Control>
      )}
      <Control name="Camera settings and details" kind="settings" onPress={() => openCamera(deviceId)}>
        <Settings size={18} aria-hidden="true" />
      </Control>
      {isPlaying && document.fullscreenEnabled && (
        <Control name="Full screen" keys=" (f)" kind="full" onPress={() => toggleTileFullScreen(box.current)}>
          <Maximize size={18} aria-hidden="true" />
        </Control>
      )}
    </div>
  )
}

function Sound({ deviceId }: { deviceId: string }) {
  const isOn = useStore($tileSound, { keys: [deviceId], deps: [deviceId] })[deviceId] === true
  const Icon = isOn ? Volume2 : VolumeX
  return (
    <Control
      name={isOn ? 'Sound off' : 'Sound on'}
      keys=" (m)"
      kind="sound"
      onPress={() => setTileSound(deviceId, !isOn)}
    >
      <Icon size={18} aria-hidden="true" />
    </Control>
  )
}

interface ControlProps {
  name: string
  keys?: string
  kind: string
  onPress: () => void
  children: ReactNode
}

function Control({ name, keys = '', kind, onPress, children }: ControlProps) {
  return (
    <button type="button" className="tile-btn" data-kind={kind} aria-label={name} title={name + keys} onClick={onPress}>
      {children}
    </button>
  )
}

/** Toggles picture-in-picture. */
export async function float(video: HTMLVideoElement): Promise<void> {
  try {
    if (document.pictureInPictureElement === video) await document.exitPictureInPicture()
    else await video.requestPictureInPicture()
  } catch {
    // The browser rejected the request, for example because there is no frame yet. The tile does not change.
  }
}
