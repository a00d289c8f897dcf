import { useStore } from '@nanostores/react'
import Camera from 'lucide-react/icons/camera'
import Maximize from 'lucide-react/icons/maximize'
import PictureInPicture2 from 'lucide-react/icons/picture-in-picture-2'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { RefObject } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { saveSnapshot } from '../../../stores/live/save-snapshot.ts'
import { $tileSound, setTileSound } from '../../../stores/live/tile-audio.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { getPicture } from '../../../stores/live/live-tiles.ts'
import { float } from '../parts/TileControls.tsx'
import { toggleTileFullScreen } from '../parts/page-shortcuts.ts'

interface Props {
  camera: Device
  isPlaying: boolean
  frame: RefObject<HTMLElement | null>
}

export function CameraActions({ camera, isPlaying, frame }: Props) {
  const { device_id } = camera
  const hasSound = useStore($streams, { keys: [device_id], deps: [device_id] })[device_id]?.audio === true
  const isHeard = useStore($tileSound, { keys: [device_id], deps: [device_id] })[device_id] === true
  if (!isPlaying) return null
  return (
    <div className="one-actions">
      {hasSound && (
        <Action
          word="Sound"
          keyOf="m"
          Icon={isHeard ? Volume2 : VolumeX}
          isOn={isHeard}
          onPress={() => setTileSound(device_id, !isHeard)}
        />
      )}
      <Action word="Snapshot" keyOf="s" Icon={Camera} onPress={() => void saveSnapshot(camera)} />
      {document.pictureInPictureEnabled && (
        <Action
          word="Small window"
          keyOf="p"
          Icon={PictureInPicture2}
          onPress={() => void float(getPicture(device_id).video)}
        />
      )}
      {document.fullscreenEnabled && (
        <Action word="Full screen" keyOf="f" Icon={Maximize} onPress={() => toggleTileFullScreen(frame.current)} />
      )}
    </div>
  )
}

interface ActionProps {
  word: string
  keyOf: string
  Icon: typeof Camera
  isOn?: boolean
  onPress: () => void
}

function Action({ word, keyOf, Icon, isOn, onPress }: ActionProps) {
  return (
    <button type="button" aria-pressed={isOn} title={`${word} (${keyOf})`} onClick={onPress}>
      <i>
        <Icon size={18} aria-hidden="true" />
      </i>
      <span>{word}</span>
    </button>
  )
}
