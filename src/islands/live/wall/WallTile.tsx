import { useStore } from '@nanostores/react'
import Moon from 'lucide-react/icons/moon'
import { useRef } from 'react'
import type { TileRect } from '../../../domain/live/tile-layout.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $tiles, getTile } from '../../../stores/live/live-tiles.ts'
import { usePicture } from '../parts/Tile.tsx'
import { pictureTime } from '../parts/last-picture-label.ts'
import { usePictureTime } from '../parts/use-picture-time.ts'
import { stateWord } from '../parts/tile-labels.ts'

interface Props {
  camera: Device
  place: TileRect
  now: number
  /** Title of the current event; '' if none. */
  event: string
}

/** Wall tile: video with a dot, the name and the current event. */
export function WallTile({ camera, place: { x, y, width, height }, now, event }: Props) {
  const { device_id, nickname } = camera
  const tile = getTile(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const box = useRef<HTMLLIElement>(null)
  usePicture(camera, box)
  const isAsleep = tile.phase === 'asleep'
  const takenAt = usePictureTime(device_id, isAsleep)
  return (
    <li
      ref={box}
      className="tile live-tile wall-tile"
      data-phase={tile.phase}
      data-camera={device_id}
      data-event={event !== ''}
      aria-label={`${nickname}, ${stateWord(tile)}`}
      style={{ left: x, top: y, width, height }}
    >
      {event !== '' && <p className="pill wall-event">{event}</p>}
      {isAsleep && event === '' && (
        <p className="pill wall-asleep">
          <Moon size={14} aria-hidden="true" />
          <span>Asleep{takenAt && ` · picture from ${pictureTime(takenAt, now)}`}</span>
        </p>
      )}
      <div className="tile-bottom">
        <i className="wall-dot" />
        <h2 className="tile-name">{nickname}</h2>
      </div>
    </li>
  )
}
