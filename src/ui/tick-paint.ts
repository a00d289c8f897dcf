import type { Tick, TickKind } from '../domain/events/timeline-ticks.ts'

const LIGHT_COLORS: Readonly<Record<TickKind, string>> = { motion: '#6a3fd0', person: '#b26a08', sound: '#1b7a53' }
const DARK_COLORS: Readonly<Record<TickKind, string>> = { motion: '#bba2ff', person: '#ffc871', sound: '#5dd6a0' }

/** Returns the color of a tick kind. `isDark`: for the stage (the dark video area) and the dark theme. */
export const getTickColor = (kind: TickKind, isDark: boolean): string => (isDark ? DARK_COLORS : LIGHT_COLORS)[kind]

/** Half of the stem's width, and half of the widest head's width, CSS pixels. */
const STEM_HALF_WIDTH_PX = 1.5
const HEAD_HALF_WIDTH_PX = 3
const SELECTED_SCALE = 1.35
/** Maximum height of a tick that is not selected, CSS pixels. */
const MAX_TICK_HEIGHT_PX = 14

/** Row of ticks above a strip of the same width. */
export interface TickRow {
  readonly ticks: readonly Tick[]
  /** Selected tick, which is drawn larger; null if none is selected. */
  readonly taken: Tick | null
  /** True if drawn on the stage (the dark video area) or in the dark theme. */
  readonly isDark: boolean
}

/** Draws the ticks. Their positions must match the canvas width. Shifts ticks at the ends so that they stay inside. */
export function paintTicks(canvas: HTMLCanvasElement, { ticks, taken: active, isDark }: TickRow): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const brush = canvas.getContext('2d')
  if (!brush || width === 0) return
  brush.scale(scale, scale)
  for (const tick of ticks) {
    const isSelected = active !== null && tick.ids[0] === active.ids[0]
    // The selected tick may use the full height. The other ticks are smaller, so that the selected tick stands out.
    const tickHeight =
      Math.min(MAX_TICK_HEIGHT_PX, Math.max(8, height / SELECTED_SCALE)) * (isSelected ? SELECTED_SCALE : 1)
    brush.fillStyle = getTickColor(tick.kind, isDark)
    brush.fill(
      createTickPath(
        tick.kind,
        Math.min(width - HEAD_HALF_WIDTH_PX, Math.max(HEAD_HALF_WIDTH_PX, tick.x)),
        height,
        Math.min(height, tickHeight),
      ),
    )
  }
}

/** Returns the path of a tick whose bottom center is at (`x`, `bottom`). */
function createTickPath(kind: TickKind, x: number, bottom: number, tickHeight: number): Path2D {
  const path = new Path2D()
  const top = bottom - tickHeight
  if (kind === 'motion')
    path.roundRect(x - STEM_HALF_WIDTH_PX, top, STEM_HALF_WIDTH_PX * 2, tickHeight, STEM_HALF_WIDTH_PX)
  else {
    path.roundRect(
      x - STEM_HALF_WIDTH_PX + 0.25,
      top + HEAD_HALF_WIDTH_PX,
      STEM_HALF_WIDTH_PX * 2 - 0.5,
      tickHeight - HEAD_HALF_WIDTH_PX,
      1,
    )
    if (kind === 'person') path.arc(x, top + HEAD_HALF_WIDTH_PX, HEAD_HALF_WIDTH_PX, 0, Math.PI * 2)
    else {
      path.moveTo(x, top)
      path.lineTo(x + HEAD_HALF_WIDTH_PX, top + HEAD_HALF_WIDTH_PX)
      path.lineTo(x, top + HEAD_HALF_WIDTH_PX * 2)
      path.lineTo(x - HEAD_HALF_WIDTH_PX, top + HEAD_HALF_WIDTH_PX)
      path.closePath()
    }
  }
  return path
}
