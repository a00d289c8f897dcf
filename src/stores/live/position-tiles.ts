import { layoutLiveBody } from '../../domain/live/stage-layout.ts'
import type { LayoutMode, TileRect } from '../../domain/live/tile-layout.ts'

/**
 * Script that positions the tiles of /live in wide windows. It imports no stores, because the document runs it before
 * the stores have loaded (src/early/requests/live-tiles.ts).
 */

/** Body whose size `bodySize` is. Reading the size again would lay out the page once more while the tiles start. */
let measuredBody: HTMLElement | null = null
let bodySize = { width: 0, height: 0 }

const bodyResizeObserver =
  globalThis.ResizeObserver &&
  new ResizeObserver(([entry]) => {
    measuredBody = null
    placeTiles(entry!.target as HTMLElement)
  })

/**
 * Sets the CSS lengths and `data-today` that position the tiles and the Today panel in the body of /live. Call it after
 * rendering tiles. A resize of the body positions the tiles again automatically.
 */
function placeTiles(body: HTMLElement): void {
  bodyResizeObserver?.observe(body)
  const tiles = [...body.querySelectorAll<HTMLElement>('.live-grid > .live-tile:not([hidden])')]
  if (tiles.length === 0) delete body.dataset['today']
  const { width, height } = readSize(body)
  if (tiles.length === 0 || width === 0 || height === 0) return
  const { places, today, todayBox } = layoutLiveBody(tiles.length, { width, height }, readMode(body))
  for (const [index, tile] of tiles.entries()) setTileRect(tile, places[index]!)
  setTileRect(body, todayBox)
  body.dataset['today'] = today
}

/** Returns the size of the body. Measures a hidden body each time, and without a `ResizeObserver` every body. */
function readSize(body: HTMLElement): { width: number; height: number } {
  if (body !== measuredBody) bodySize = { width: body.clientWidth, height: body.clientHeight }
  measuredBody = bodyResizeObserver && bodySize.width > 0 ? body : null
  return bodySize
}

/** Returns the layout mode of the grid. A single camera (`one`) is placed as in mode `automatic`. */
function readMode(body: HTMLElement): LayoutMode {
  const layout = body.querySelector<HTMLElement>('.live-grid')?.dataset['layout']
  return layout === 'focus' || layout === 'grid' ? layout : 'automatic'
}

function setTileRect({ style }: HTMLElement, { x, y, width, height }: TileRect): void {
  for (const [name, length] of Object.entries({ x, y, w: width, h: height }))
    style.setProperty(`--${name}`, `${length.toFixed(2)}px`)
}

window.placeTiles = () => {
  const body = document.querySelector<HTMLElement>('.live-body')
  if (body) placeTiles(body)
}
window.placeTiles()
