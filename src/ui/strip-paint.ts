import type { Span } from '../domain/time/date-range.ts'
import type { ShownState } from '../domain/events/timeline-viewport.ts'

/** Fill and texture of a timeline state; each state has its own pair (look: Timeline). */
interface Look {
  readonly fill: string
  readonly ink?: string
  readonly texture?: 'dots' | 'hatch' | 'backhatch' | 'rows' | 'columns' | 'outline' | 'foot'
}

const RECORDED = '#8460dc'
const LIGHT: Readonly<Record<ShownState, Look>> = {
  recorded: { fill: RECORDED },
  live_only: { fill: '#ded4f7' },
  asleep: { fill: '#e6e0ec', ink: '#9c90ab', texture: 'dots' },
  offline: { fill: '#f8d9dc', ink: '#d4707d', texture: 'hatch' },
  bridge_off: { fill: '#f8d9dc', ink: '#d4707d', texture: 'hatch' },
  switched_off: { fill: '#f4efe9' },
  not_kept: { fill: '#fdf1dd', ink: '#d39a44', texture: 'rows' },
  expired: { fill: '#faf7f3', ink: '#b9afc3', texture: 'columns' },
  not_indexed: { fill: RECORDED, ink: '#f2a63b', texture: 'foot' },
  not_watched: { fill: '#eef1f4', ink: '#8b9aa8', texture: 'backhatch' },
  unknown: { fill: '#faf7f3' },
  filtered_out: { fill: 'transparent', ink: RECORDED, texture: 'outline' },
}
const DARK: Readonly<Record<ShownState, Look>> = {
  ...LIGHT,
  live_only: { fill: '#33284e' },
  asleep: { fill: '#2b2436', ink: '#786c88', texture: 'dots' },
  offline: { fill: '#43212a', ink: '#c05a68', texture: 'hatch' },
  bridge_off: { fill: '#43212a', ink: '#c05a68', texture: 'hatch' },
  switched_off: { fill: '#241c2f' },
  not_kept: { fill: '#382a15', ink: '#a87732', texture: 'rows' },
  expired: { fill: '#1a1422', ink: '#5a4d69', texture: 'columns' },
  not_watched: { fill: '#222a33', ink: '#647686', texture: 'backhatch' },
  unknown: { fill: '#1b1523', ink: 'rgb(255 255 255 / .07)', texture: 'outline' },
}

export interface StripRun {
  readonly from: number
  readonly to: number
  readonly state: ShownState
}

export interface Strip {
  readonly view: Span
  readonly runs: readonly StripRun[]
  /** True if drawn on the stage (the dark video area) or in the dark theme. */
  readonly isDark: boolean
  /** Color of the separator line between two segments. */
  readonly gap: string
}

/** Minimum width of recorded segments in pixels, so that a short clip is visible. */
const RUN_MIN = 3
const weight = (state: ShownState) => ['filtered_out', 'recorded'].indexOf(state)
/** True if a segment is drawn with a minimum width even if it is very short, because something was recorded. */
export const isWidened = (state: ShownState): boolean => state === 'recorded' || state === 'filtered_out'
/** Minimum width, in pixels, of a segment with a separator line at its end. The line would cover narrower segments. */
const GAP_ROOM = 8

/** Draws one strip into the whole canvas, at its layout size. */
export function paintStrip(canvas: HTMLCanvasElement, strip: Strip): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const brush = canvas.getContext('2d')
  if (!brush || width === 0) return
  brush.scale(scale, scale)
  const { begin, end } = strip.view
  const x = (at: number) => ((at - begin) / (end - begin)) * width
  const looks = strip.isDark ? DARK : LIGHT
  const wide = (run: StripRun) => x(run.to) - x(run.from)
  // Recorded segments are drawn last, so that no other segment covers them.
  const byWeight = [...strip.runs].sort((a, b) => weight(a.state) - weight(b.state))
  for (const run of byWeight) {
    const width = Math.max(isWidened(run.state) ? RUN_MIN : 0, wide(run))
    const gap = run.state === 'live_only' || width < GAP_ROOM ? null : strip.gap
    paintRun(brush, looks[run.state], x(run.from), width, height, gap)
  }
}

function paintRun(
  brush: CanvasRenderingContext2D,
  look: Look,
  x: number,
  width: number,
  height: number,
  gap: string | null,
): void {
  brush.fillStyle = look.fill
  brush.fillRect(x, 0, width, height)
  brush.save()
  brush.beginPath()
  brush.rect(x, 0, width, height)
  brush.clip()
  if (look.ink) texture(brush, look, x, width, height)
  brush.restore()
  if (gap) {
    brush.fillStyle = gap
    brush.fillRect(x + width - 1, 0, 1, height)
  }
}

function texture(
  brush: CanvasRenderingContext2D,
  { texture: kind, ink = '' }: Look,
  x: number,
  width: number,
  height: number,
): void {
  brush.strokeStyle = brush.fillStyle = ink
  brush.lineWidth = 1
  brush.beginPath()
  const first = (pitch: number) => Math.floor(x / pitch) * pitch
  if (kind === 'outline') brush.rect(x + 0.75, 0.75, width - 1.5, height - 1.5)
  if (kind === 'columns') for (let at = first(7); at < x + width; at += 7) line(brush, at + 0.5, 0, at + 0.5, height)
  if (kind === 'rows') for (let at = 3; at < height; at += 6) line(brush, x, at + 0.5, x + width, at + 0.5)
  if (kind === 'hatch')
    for (let at = first(6) - height; at < x + width; at += 6) line(brush, at, height, at + height, 0)
  if (kind === 'backhatch')
    for (let at = first(6) - height; at < x + width; at += 6) line(brush, at, 0, at + height, height)
  brush.stroke()
  if (kind === 'foot') brush.fillRect(x, height - 2, width, 2)
  if (kind !== 'dots') return
  for (let at = first(6) + 3; at < x + width; at += 6)
    for (let y = 3; y < height; y += 6) brush.fillRect(at, y, 1.2, 1.2)
}

function line(brush: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  brush.moveTo(x, y)
  brush.lineTo(toX, toY)
}

export function paintSwatch(canvas: HTMLCanvasElement, state: ShownState, isDark: boolean): void {
  const view = { begin: 0, end: 1 }
  paintStrip(canvas, { view, runs: [{ from: 0, to: 1, state }], isDark, gap: 'transparent' })
}
