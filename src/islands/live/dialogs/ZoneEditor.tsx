import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { formatPercent } from '../../../domain/copy/counts.ts'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import {
  addZone,
  removePoint,
  removeZone,
  movePoint,
  splitEdge,
  ZONES_MAX,
  type ZonePoint,
  type Zone,
  type Zones,
} from '../../../domain/live/motion-zones.ts'
import { isDragging } from '../../../ui/pointer-state.ts'

/** Distance that an arrow key moves a corner, as a share of the image. `SHIFT_ARROW_STEP` applies with Shift. */
const ARROW_STEP = 0.01
const SHIFT_ARROW_STEP = 0.1
const ARROW_DIRECTIONS: Record<string, ZonePoint> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface ZoneEditorProps {
  deviceId: string
  zones: Zones
  onChange: (zones: Zones) => void
}

/** Editor for motion zones on the last picture. Corners move by dragging or by arrow keys. */
export function ZoneEditor({ deviceId, zones, onChange }: ZoneEditorProps) {
  const picture = useRef<HTMLDivElement>(null)
  return (
    <fieldset className="zones">
      <legend>Motion zones</legend>
      <div className="zone-picture" ref={picture}>
        <img src={`/m/last/${deviceId}`} alt="" draggable={false} />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {zones.map((zone, zoneIndex) => (
            <polygon key={zoneIndex} points={zone.map((point) => point.join()).join(' ')} />
          ))}
        </svg>
        {zones.map((zone, zoneIndex) =>
          zone.map((_, point) => (
            <ZoneCorner
              key={`${zoneIndex} ${point}`}
              zones={zones}
              zone={zone}
              zoneIndex={zoneIndex}
              point={point}
              onChange={onChange}
              picture={picture}
            />
          )),
        )}
      </div>
      <p className="text-small">
        {zones.length === 0
          ? 'Motion anywhere in view is recorded.'
          : 'Only motion inside the zones is recorded. Drag a corner or move it with the arrow keys. Double-click or press + to add a corner. Press Delete to remove one.'}
      </p>
      <div className="pair">
        <button
          type="button"
          className="btn btn-sm btn-outline"
          disabled={zones.length >= ZONES_MAX}
          onClick={() => onChange(addZone(zones))}
        >
          <Plus size={16} aria-hidden="true" />
          Add zone
        </button>
        {zones.map((_, zoneIndex) => (
          <button
            key={zoneIndex}
            type="button"
            className="btn btn-sm btn-danger"
            aria-label={`Remove zone ${zoneIndex + 1}`}
            onClick={() => onChange(removeZone(zones, zoneIndex))}
          >
            <Trash2 size={16} aria-hidden="true" />
            Zone {zoneIndex + 1}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

interface ZoneCornerProps extends Omit<ZoneEditorProps, 'deviceId'> {
  zone: Zone
  zoneIndex: number
  point: number
  picture: React.RefObject<HTMLDivElement | null>
}

function ZoneCorner({ zones, zone, zoneIndex, point, picture, onChange }: ZoneCornerProps) {
  const [x, y] = zone[point] ?? [0, 0]
  function onMove(pointer: PointerEvent<HTMLButtonElement>) {
    const { clientX, clientY } = pointer
    const box = picture.current?.getBoundingClientRect()
    if (!box || !isDragging(pointer)) return
    onChange(movePoint(zones, zoneIndex, point, [(clientX - box.left) / box.width, (clientY - box.top) / box.height]))
  }
  function onKey(event: KeyboardEvent) {
    const next = applyCornerKey(event, zones, zoneIndex, point, [x, y])
    if (!next) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <button
      type="button"
      className="zone-corner"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      aria-label={`Zone ${zoneIndex + 1}, corner ${point + 1} of ${zone.length}: ${formatPercent(Math.round(x * 100))} from the left, ${formatPercent(Math.round(y * 100))} from the top`}
      onPointerDown={({ button, currentTarget, pointerId }) =>
        button === 0 && currentTarget.setPointerCapture(pointerId)
      }
      onPointerMove={onMove}
      onDoubleClick={() => onChange(splitEdge(zones, zoneIndex, point))}
      onKeyDown={onKey}
    />
  )
}

/** Returns the zones after a key press; null if the key does nothing here. */
function applyCornerKey(
  { key, shiftKey }: KeyboardEvent,
  zones: Zones,
  zoneIndex: number,
  pointIndex: number,
  [x, y]: ZonePoint,
): Zones | null {
  if (key === '+') return splitEdge(zones, zoneIndex, pointIndex)
  if (key === 'Delete' || key === 'Backspace') return removePoint(zones, zoneIndex, pointIndex)
  const direction = ARROW_DIRECTIONS[key]
  const step = shiftKey ? SHIFT_ARROW_STEP : ARROW_STEP
  return direction ? movePoint(zones, zoneIndex, pointIndex, [x + direction[0] * step, y + direction[1] * step]) : null
}
