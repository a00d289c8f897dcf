/**
 * Visible part of the video. `scale`: magnification; `x` and `y`: left and upper edge as shares of the whole frame. The
 * view never extends beyond the frame.
 */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** Point of the view, as shares of its width and height from the upper left corner. */
export interface ViewPoint {
  readonly x: number
  readonly y: number
}

export const NO_ZOOM: Zoom = { scale: 1, x: 0, y: 0 }
export const ZOOM_MAX = 8
const CENTER: ViewPoint = { x: 0.5, y: 0.5 }

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

function clampZoom({ scale, x, y }: Zoom): Zoom {
  const maxOffset = 1 - 1 / scale
  return { scale, x: clamp(x, 0, maxOffset), y: clamp(y, 0, maxOffset) }
}

/**
 * Multiplies the magnification by `factor` and limits the result to 1x to 8x. The point `at` of the view stays in place
 * unless an edge prevents it.
 */
export function scaleZoom(zoom: Zoom, factor: number, at: ViewPoint = CENTER): Zoom {
  const scale = clamp(zoom.scale * factor, 1, ZOOM_MAX)
  return clampZoom({
    scale,
    x: zoom.x + at.x / zoom.scale - at.x / scale,
    y: zoom.y + at.y / zoom.scale - at.y / scale,
  })
}

/** Pans the video by shares of the view: an `x` of 0.5 moves the video right by half the width of the view. */
export function panZoom(zoom: Zoom, { x, y }: ViewPoint): Zoom {
  return clampZoom({ ...zoom, x: zoom.x - x / zoom.scale, y: zoom.y - y / zoom.scale })
}

export const toggleZoom = (zoom: Zoom, at: ViewPoint): Zoom => (zoom.scale > 1 ? NO_ZOOM : scaleZoom(zoom, 2, at))

/** Formats the magnification: `1×`, `2.4×`. */
export const zoomLabel = ({ scale }: Zoom): string => `${Number(scale.toFixed(1))}×`
