import type { Tick, TickKind } from '../domain/events/timeline-ticks.ts'

const PAPER: Readonly<Record<TickKind, string>> = { motion: '#6a3fd0', person: '#b26a08', sound: '#1b7a53' }
const DARK: Readonly<Record<TickKind, string>> = { motion: '#bba2ff', person: '#ffc871', sound: '#5dd6a0' }

/** Returns the color of a tick kind: for the stage and the dark theme if `isDark`, otherwise for the light theme. */
export const tickColor = (kind: TickKind, isDark: boolean): string => (isDark ? DARK : PAPER)[kind]

/** Half the width of a stem, and of the widest head, CSS pixels. */
const STEM = 1.5
const HEAD = 3
/** Scale of the tick that a pointer or key has selected. */
const TAKEN = 1.35
/** Maximum height of a tick that is not selected, CSS pixels. */
const TALLEST = 14

/** Row of ticks above a strip of the same width. */
export interface TickLane {
  readonly ticks: readonly Tick[]
  /** Selected tick, which is drawn larger; null if none is selected. */
  readonly taken: Tick | null
  /** True if drawn on the stage (the dark video area) or in the dark theme. */
  readonly isDark: boolean
}

/**
 * Draws the ticks, whose positions are already computed for the canvas width. Ticks at the ends are shifted to stay
 * inside.
 */
export function paintTicks(canvas: HTMLCanvasElement, { ticks, taken: active, isDark }: TickLane): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const brush = canvas.getContext('2d')
  if (!brush || width === 0) return
  brush.scale(scale, scale)
  for (const tick of ticks) {
    const isTaken = active !== null && tick.ids[0] === active.ids[0]
    // The selected tick may use the full height; the others leave it room to grow.
    const tall = Math.min(TALLEST, Math.max(8, height / TAKEN)) * (isTaken ? TAKEN : 1)
    brush.fillStyle = tickColor(tick.kind, isDark)
    brush.fill(shape(tick.kind, Math.min(width - HEAD, Math.max(HEAD, tick.x)), height, Math.min(height, tall)))
  }
}

/** Returns the path of a tick whose foot is at `x`, `foot`. */
function shape(kind: TickKind, x: number, foot: number, tall: number): Path2D {
  const path = new Path2D()
  const top = foot - tall
  if (kind === 'motion') path.roundRect(x - STEM, top, STEM * 2, tall, STEM)
  else {
    path.roundRect(x - STEM + 0.25, top + HEAD, STEM * 2 - 0.5, tall - HEAD, 1)
    if (kind === 'person') path.arc(x, top + HEAD, HEAD, 0, Math.PI * 2)
    else {
      path.moveTo(x, top)
      path.lineTo(x + HEAD, top + HEAD)
      path.lineTo(x, top + HEAD * 2)
      path.lineTo(x - HEAD, top + HEAD)
      path.closePath()
    }
  }
  return path
}
