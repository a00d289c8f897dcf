import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { WHOLE, type Zoom, ZOOM_MAX, zoomLabel } from '../../../domain/live/zoom.ts'
import { $zoom, zoomPicture } from '../../../stores/live/zoom.ts'
import { ZOOM_STEP } from './camera-keys.ts'

export function ZoomControl({ zoom }: { zoom: Zoom }) {
  const isWhole = zoom.scale === 1
  return (
    <div className="one-zoom" role="group" aria-label="Zoom" data-whole={isWhole}>
      <button
        type="button"
        aria-label="Larger"
        title="Larger (+)"
        aria-disabled={zoom.scale === ZOOM_MAX}
        onClick={() => zoomPicture(ZOOM_STEP)}
      >
        <Plus size={18} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="one-factor"
        aria-label={`${zoomLabel(zoom)}, show the whole picture`}
        title="Show the whole picture (0)"
        aria-disabled={isWhole}
        onClick={() => $zoom.set(WHOLE)}
      >
        {zoomLabel(zoom)}
      </button>
      <button
        type="button"
        aria-label="Smaller"
        title="Smaller (−)"
        aria-disabled={isWhole}
        onClick={() => zoomPicture(1 / ZOOM_STEP)}
      >
        <Minus size={18} aria-hidden="true" />
      </button>
      <p className="sr-only" role="status">
        {isWhole ? '' : `Zoom ${zoomLabel(zoom)}`}
      </p>
    </div>
  )
}

/** Small outline of the whole image that marks the visible part. */
export function ZoomOutline({ deviceId, zoom: { scale, x, y } }: { deviceId: string; zoom: Zoom }) {
  const size = `${100 / scale}%`
  return (
    <div className="one-outline" aria-hidden="true">
      <img src={`/m/last/${deviceId}`} alt="" decoding="async" draggable={false} />
      <i style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: size, height: size }} />
    </div>
  )
}
