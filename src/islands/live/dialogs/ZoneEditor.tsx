import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import {
  addZone,
  dropPoint,
  dropZone,
  movePoint,
  splitEdge,
  ZONES_MAX,
  type ZonePoint,
  type Zone,
  type Zones,
} from '../../../domain/live/motion-zones.ts'
import { isDragging } from '../../../ui/pointer-state.ts'

/** Distance that an arrow key moves a corner, as a share of the image; with Shift, `LEAP`. */
const STEP = 0.01
const LEAP = 0.1
const ARROWS: Record<string, ZonePoint> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface Props {
  deviceId: string
  zones: Zones
  onChange: (zones: Zones) => void
}

/** Motion zones on the last picture; corners move by dragging or by arrow keys. */
export function ZoneEditor({ deviceId, zones, onChange }: Props) {
  const picture = useRef<HTMLDivElement>(null)
  return (
    <fieldset className="zones">
      <legend>Motion zones</legend>
      <div className="zone-picture" ref={picture}>
        <img src={`/m/last/${deviceId}`} alt="" draggable={false} />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {zones.map((zone, at) => (
            <polygon key={at} points={zone.map((point) => point.join()).join(' ')} />
          ))}
        </svg>
        {zones.map((zone, at) =>
          zone.map((_, point) => (
            <Corner key={`${at} ${point}`} {...{ zones, zone, at, point, onChange }} picture={picture} />
          )),
        )}
      </div>
      <p className="text-small">
        {zones.length === 0
          ? 'Motion counts in the whole picture.'
          : 'Motion counts inside the zones. Drag a corner, or choose it and use the arrow keys. Press it twice, or +, for one more; Delete takes it away.'}
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
        {zones.map((_, at) => (
          <button
            key={at}
            type="button"
            className="btn btn-sm btn-danger"
            aria-label={`Remove zone ${at + 1}`}
            onClick={() => onChange(dropZone(zones, at))}
          >
            <Trash2 size={16} aria-hidden="true" />
            Zone {at + 1}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

interface CornerProps extends Omit<Props, 'deviceId'> {
  zone: Zone
  at: number
  point: number
  picture: React.RefObject<HTMLDivElement | null>
}

function Corner({ zones, zone, at, point, picture, onChange }: CornerProps) {
  const [x, y] = zone[point] ?? [0, 0]
  function onMove(pointer: PointerEvent<HTMLButtonElement>) {
    const { clientX, clientY } = pointer
    const box = picture.current?.getBoundingClientRect()
    if (!box || !isDragging(pointer)) return
    onChange(movePoint(zones, at, point, [(clientX - box.left) / box.width, (clientY - box.top) / box.height]))
  }
  function onKey(event: KeyboardEvent) {
    const next = keyed(event, zones, at, point, [x, y])
    if (!next) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <button
      type="button"
      className="zone-corner"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      aria-label={`Zone ${at + 1}, corner ${point + 1} of ${zone.length}: ${percent(x)} from the left, ${percent(y)} from the top`}
      onPointerDown={({ button, currentTarget, pointerId }) =>
        button === 0 && currentTarget.setPointerCapture(pointerId)
      }
      onPointerMove={onMove}
      onDoubleClick={() => onChange(splitEdge(zones, at, point))}
      onKeyDown={onKey}
    />
  )
}

/** Returns the zones after a key press; null if the key does nothing here. */
function keyed(
  { key, shiftKey }: KeyboardEvent,
  zones: Zones,
  at: number,
  point: number,
  [x, y]: ZonePoint,
): Zones | null {
  if (key === '+') return splitEdge(zones, at, point)
  if (key === 'Delete' || key === 'Backspace') return dropPoint(zones, at, point)
  const way = ARROWS[key]
  const step = shiftKey ? LEAP : STEP
  return way ? movePoint(zones, at, point, [x + way[0] * step, y + way[1] * step]) : null
}

const percent = (part: number) => `${Math.round(part * 100)} %`
