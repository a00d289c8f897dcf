/**
 * The part of a picture that is in view. `scale` is how many times larger than the whole; `x` and `y` are where the view's
 * left and upper edge lie, as shares of the whole picture. Nothing beyond the picture is ever in view.
 */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** A point of the view, as shares of its width and height from its upper left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
export const ZOOM_MAX = 8
const CENTER: Point = { x: 0.5, y: 0.5 }

const between = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

function clamped({ scale, x, y }: Zoom): Zoom {
  const room = 1 - 1 / scale
  return { scale, x: between(x, 0, room), y: between(y, 0, room) }
}

/** `factor` times larger, from 1x to 8x; what is at the point `at` of the view stays there, unless an edge is in the way. */
export function scaleZoom(zoom: Zoom, factor: number, at: Point = CENTER): Zoom {
  const scale = between(zoom.scale * factor, 1, ZOOM_MAX)
  return clamped({
    scale,
    x: zoom.x + at.x / zoom.scale - at.x / scale,
    y: zoom.y + at.y / zoom.scale - at.y / scale,
  })
}

/** The picture moved by shares of the view: `x` 0.5 brings what was left of it to the middle. */
export function panZoom(zoom: Zoom, { x, y }: Point): Zoom {
  return clamped({ ...zoom, x: zoom.x - x / zoom.scale, y: zoom.y - y / zoom.scale })
}

/** Twice as large around a point; back to the whole picture where it is larger already. */
export const toggleZoom = (zoom: Zoom, at: Point): Zoom => (zoom.scale > 1 ? WHOLE : scaleZoom(zoom, 2, at))

/** `1×`, `2.4×`. */
export const zoomLabel = ({ scale }: Zoom): string => `${Number(scale.toFixed(1))}×`
