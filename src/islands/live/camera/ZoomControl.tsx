import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { NO_ZOOM, type Zoom, ZOOM_MAX, zoomLabel } from '../../../domain/live/zoom.ts'
import { $zoom, zoomView } from '../../../stores/live/zoom.ts'
import { ZOOM_STEP } from './camera-keys.ts'

export function ZoomControl({ zoom }: { zoom: Zoom }) {
  const isUnzoomed = zoom.scale === 1
  return (
    <div className="one-zoom" role="group" aria-label="Zoom" data-whole={isUnzoomed}>
      <button
        type="button"
        aria-label="Zoom in"
        title="Zoom in (+)"
        aria-disabled={zoom.scale === ZOOM_MAX}
        onClick={() => zoomView(ZOOM_STEP)}
      >
        <Plus size={18} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="one-factor"
        aria-label={`${zoomLabel(zoom)}, reset zoom`}
        title="Reset zoom (0)"
        aria-disabled={isUnzoomed}
        onClick={() => $zoom.set(NO_ZOOM)}
      >
        {zoomLabel(zoom)}
      </button>
      <button
        type="button"
        aria-label="Zoom out"
        title="Zoom out (−)"
        aria-disabled={isUnzoomed}
        onClick={() => zoomView(1 / ZOOM_STEP)}
      >
        <Minus size={18} aria-hidden="true" />
      </button>
      <p className="sr-only" role="status">
        {isUnzoomed ? '' : `Zoom ${zoomLabel(zoom)}`}
      </p>
    </div>
  )
}

/** Small last picture of the camera, on which a frame marks the visible part of the video. */
export function ZoomOutline({ deviceId, zoom: { scale, x, y } }: { deviceId: string; zoom: Zoom }) {
  const size = `${100 / scale}%`
  return (
    <div className="one-outline" aria-hidden="true">
      <img src={`/m/last/${deviceId}`} alt="" decoding="async" draggable={false} />
      <i style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: size, height: size }} />
    </div>
  )
}
