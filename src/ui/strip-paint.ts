import type { Span } from '../domain/time/date-range.ts'
import type { ShownState } from '../domain/events/timeline-viewport.ts'

/** Fill and texture of a timeline state. Only `offline` and `bridge_off` look the same. */
interface StateStyle {
  readonly fill: string
  readonly ink?: string
  readonly texture?: 'dots' | 'hatch' | 'backhatch' | 'rows' | 'columns' | 'outline' | 'foot'
}

const RECORDED_COLOR = '#8460dc'
const LIGHT_STYLES: Readonly<Record<ShownState, StateStyle>> = {
  recorded: { fill: RECORDED_COLOR },
  live_only: { fill: '#ded4f7' },
  asleep: { fill: '#e6e0ec', ink: '#9c90ab', texture: 'dots' },
  offline: { fill: '#f8d9dc', ink: '#d4707d', texture: 'hatch' },
  bridge_off: { fill: '#f8d9dc', ink: '#d4707d', texture: 'hatch' },
  switched_off: { fill: '#f4efe9' },
  not_kept: { fill: '#fdf1dd', ink: '#d39a44', texture: 'rows' },
  expired: { fill: '#faf7f3', ink: '#b9afc3', texture: 'columns' },
  freed: { fill: '#fdf1dd', ink: '#d39a44', texture: 'columns' },
  not_indexed: { fill: RECORDED_COLOR, ink: '#f2a63b', texture: 'foot' },
  not_watched: { fill: '#eef1f4', ink: '#8b9aa8', texture: 'backhatch' },
  unknown: { fill: '#faf7f3' },
  filtered_out: { fill: 'transparent', ink: RECORDED_COLOR, texture: 'outline' },
}
const DARK_STYLES: Readonly<Record<ShownState, StateStyle>> = {
  ...LIGHT_STYLES,
  live_only: { fill: '#33284e' },
  asleep: { fill: '#2b2436', ink: '#786c88', texture: 'dots' },
  offline: { fill: '#43212a', ink: '#c05a68', texture: 'hatch' },
  bridge_off: { fill: '#43212a', ink: '#c05a68', texture: 'hatch' },
  switched_off: { fill: '#241c2f' },
  not_kept: { fill: '#382a15', ink: '#a87732', texture: 'rows' },
  expired: { fill: '#1a1422', ink: '#5a4d69', texture: 'columns' },
  freed: { fill: '#382a15', ink: '#a87732', texture: 'columns' },
  not_watched: { fill: '#222a33', ink: '#647686', texture: 'backhatch' },
  unknown: { fill: '#1b1523', ink: 'rgb(255 255 255 / .07)', texture: 'outline' },
}

export interface StripSegment {
  readonly from: number
  readonly to: number
  readonly state: ShownState
}

export interface TimelineStrip {
  readonly view: Span
  readonly runs: readonly StripSegment[]
  /** True if drawn on the stage (the dark video area) or in the dark theme. */
  readonly isDark: boolean
  /** Color of the separator line between two segments. */
  readonly gapColor: string
}

/** Minimum width of the segments for which `hasMinimumWidth` returns true, in CSS pixels. */
const MIN_RECORDED_WIDTH_PX = 3
const getDrawOrder = (state: ShownState) => ['filtered_out', 'recorded'].indexOf(state)
/**
 * Returns true for `recorded` and `filtered_out`. Their segments have a minimum width, so that a short clip is visible.
 */
export const hasMinimumWidth = (state: ShownState): boolean => state === 'recorded' || state === 'filtered_out'
/** Minimum width of a segment with a separator line, in CSS pixels. Narrower segments have no line. */
const MIN_WIDTH_WITH_GAP_PX = 8

/** Draws one strip on the whole canvas, at the canvas's layout size. */
export function paintStrip(canvas: HTMLCanvasElement, strip: TimelineStrip): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const brush = canvas.getContext('2d')
  if (!brush || width === 0) return
  brush.scale(scale, scale)
  const { begin, end } = strip.view
  const x = (at: number) => ((at - begin) / (end - begin)) * width
  const styles = strip.isDark ? DARK_STYLES : LIGHT_STYLES
  const getWidth = (run: StripSegment) => x(run.to) - x(run.from)
  // Recorded segments are drawn last, so that no other segment covers them.
  const orderedSegments = [...strip.runs].sort((a, b) => getDrawOrder(a.state) - getDrawOrder(b.state))
  for (const run of orderedSegments) {
    const width = Math.max(hasMinimumWidth(run.state) ? MIN_RECORDED_WIDTH_PX : 0, getWidth(run))
    const gap = run.state === 'live_only' || width < MIN_WIDTH_WITH_GAP_PX ? null : strip.gapColor
    paintSegment(brush, styles[run.state], x(run.from), width, height, gap)
  }
}

function paintSegment(
  brush: CanvasRenderingContext2D,
  style: StateStyle,
  x: number,
  width: number,
  height: number,
  gap: string | null,
): void {
  brush.fillStyle = style.fill
  brush.fillRect(x, 0, width, height)
  brush.save()
  brush.beginPath()
  brush.rect(x, 0, width, height)
  brush.clip()
  if (style.ink) paintTexture(brush, style, x, width, height)
  brush.restore()
  if (gap) {
    brush.fillStyle = gap
    brush.fillRect(x + width - 1, 0, 1, height)
  }
}

function paintTexture(
  brush: CanvasRenderingContext2D,
  { texture: kind, ink = '' }: StateStyle,
  x: number,
  width: number,
  height: number,
): void {
  brush.strokeStyle = brush.fillStyle = ink
  brush.lineWidth = 1
  brush.beginPath()
  const alignToPitch = (pitch: number) => Math.floor(x / pitch) * pitch
  if (kind === 'outline') brush.rect(x + 0.75, 0.75, width - 1.5, height - 1.5)
  if (kind === 'columns')
    for (let at = alignToPitch(7); at < x + width; at += 7) addLine(brush, at + 0.5, 0, at + 0.5, height)
  if (kind === 'rows') for (let at = 3; at < height; at += 6) addLine(brush, x, at + 0.5, x + width, at + 0.5)
  if (kind === 'hatch')
    for (let at = alignToPitch(6) - height; at < x + width; at += 6) addLine(brush, at, height, at + height, 0)
  if (kind === 'backhatch')
    for (let at = alignToPitch(6) - height; at < x + width; at += 6) addLine(brush, at, 0, at + height, height)
  brush.stroke()
  if (kind === 'foot') brush.fillRect(x, height - 2, width, 2)
  if (kind !== 'dots') return
  for (let at = alignToPitch(6) + 3; at < x + width; at += 6)
    for (let y = 3; y < height; y += 6) brush.fillRect(at, y, 1.2, 1.2)
}

function addLine(brush: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  brush.moveTo(x, y)
  brush.lineTo(toX, toY)
}

export function paintSwatch(canvas: HTMLCanvasElement, state: ShownState, isDark: boolean): void {
  const view = { begin: 0, end: 1 }
  paintStrip(canvas, { view, runs: [{ from: 0, to: 1, state }], isDark, gapColor: 'transparent' })
}
