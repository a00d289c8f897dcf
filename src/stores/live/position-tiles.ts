import { stagePlaces } from '../../domain/live/stage-layout.ts'
import type { TileRect } from '../../domain/live/tile-layout.ts'
import { $mode } from './live-layout.ts'

const observer = globalThis.ResizeObserver && new ResizeObserver(([entry]) => placeTiles(entry!.target as HTMLElement))

/**
 * Positions the tiles and Today in the body of /live. Sets only CSS lengths and `data-today`. Call it after rendering
 * tiles; it observes size changes of the body automatically.
 */
export function placeTiles(body: HTMLElement): void {
  observer?.observe(body)
  const tiles = [...body.querySelectorAll<HTMLElement>('.live-grid > .live-tile:not([hidden])')]
  const { clientWidth: width, clientHeight: height } = body
  if (tiles.length === 0) delete body.dataset['today']
  if (tiles.length === 0 || width === 0 || height === 0) return
  const { places, today, todayBox } = stagePlaces(tiles.length, { width, height }, $mode.get())
  for (const [index, tile] of tiles.entries()) put(tile, places[index]!)
  put(body, todayBox)
  body.dataset['today'] = today
}

function put({ style }: HTMLElement, { x, y, width, height }: TileRect): void {
  for (const [name, length] of Object.entries({ x, y, w: width, h: height }))
    style.setProperty(`--${name}`, `${length.toFixed(2)}px`)
}
