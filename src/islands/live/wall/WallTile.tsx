import { useStore } from '@nanostores/react'
import Moon from 'lucide-react/icons/moon'
import { useRef } from 'react'
import type { TileRect } from '../../../domain/live/tile-layout.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $tiles, getTileState } from '../../../stores/live/live-tiles.ts'
import { useTileVideo } from '../parts/Tile.tsx'
import { formatPictureTime } from '../parts/last-picture-label.ts'
import { usePictureTime } from '../parts/use-picture-time.ts'
import { getStateLabel } from '../parts/tile-labels.ts'

interface WallTileProps {
  camera: Device
  rect: TileRect
  now: number
  /** Title of the current event; '' if none. */
  eventTitle: string
}

/** Wall tile: video, state dot, name of the camera and current event. */
export function WallTile({ camera, rect: { x, y, width, height }, now, eventTitle }: WallTileProps) {
  const { device_id, nickname } = camera
  const tile = getTileState(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const tileRef = useRef<HTMLLIElement>(null)
  useTileVideo(camera, tileRef)
  const isAsleep = tile.phase === 'asleep'
  const takenAt = usePictureTime(device_id, isAsleep)
  return (
    <li
      ref={tileRef}
      className="tile live-tile wall-tile"
      data-phase={tile.phase}
      data-camera={device_id}
      data-event={eventTitle !== ''}
      aria-label={`${nickname}, ${getStateLabel(tile)}`}
      style={{ left: x, top: y, width, height }}
    >
      {eventTitle !== '' && <p className="pill wall-event">{eventTitle}</p>}
      {isAsleep && eventTitle === '' && (
        <p className="pill wall-asleep">
          <Moon size={14} aria-hidden="true" />
          <span>Asleep{takenAt && ` · last frame from ${formatPictureTime(takenAt, now)}`}</span>
        </p>
      )}
      <div className="tile-bottom">
        <i className="wall-dot" />
        <h2 className="tile-name">{nickname}</h2>
      </div>
    </li>
  )
}
