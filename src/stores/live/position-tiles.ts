import { layoutLiveBody } from '../../domain/live/stage-layout.ts'
import type { LayoutMode, TileRect } from '../../domain/live/tile-layout.ts'

/**
 * Script that positions the tiles of /live in wide windows. It imports no stores, because the document runs it before
 * the stores have loaded (src/early/requests/live-tiles.ts).
 */

/** Body whose size `bodySize` is. Reading the size earlier or again would lay out the page once more. */
let measuredBody: HTMLElement | null = null
let bodySize = { width: 0, height: 0 }

/** Reports the first size of a body after the layout of the next frame, before its paint. */
const bodyResizeObserver =
  globalThis.ResizeObserver &&
  new ResizeObserver((entries) => {
    for (const { target } of entries) {
      measureBody(target as HTMLElement)
      placeTiles(target as HTMLElement)
    }
  })

/**
 * Sets the CSS lengths and `data-today` that position the tiles and the Today panel in the body of /live. Call it after
 * rendering tiles. A new size of the body positions the tiles again automatically.
 */
function placeTiles(body: HTMLElement): void {
  if (bodyResizeObserver) bodyResizeObserver.observe(body)
  else measureBody(body)
  const tiles = [...body.querySelectorAll<HTMLElement>('.live-grid > .live-tile:not([hidden])')]
  if (tiles.length === 0) delete body.dataset['today']
  if (tiles.length === 0 || body !== measuredBody || bodySize.width * bodySize.height === 0) return
  const { places, today, todayBox } = layoutLiveBody(tiles.length, bodySize, readMode(body))
  for (const [index, tile] of tiles.entries()) setTileRect(tile, places[index]!)
  setTileRect(body, todayBox)
  body.dataset['today'] = today
}

function measureBody(body: HTMLElement): void {
  measuredBody = body
  bodySize = { width: body.clientWidth, height: body.clientHeight }
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

/** Delay between the confirmed session, when the tiles are usually drawn, and the preload of the islands, ms. */
const PRELOAD_DELAY_MS = 100

/**
 * Preloads the islands, which wait for the video, after the first tiles. Earlier, these files would compete with the
 * tiles. Phones preload them with the document (scripts/lib/module-preload.ts).
 */
const preloadIslands = () =>
  setTimeout(() => {
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload][media^="(max"]')) {
      link.media = ''
      // Browsers process a link when it is inserted.
      document.head.append(link)
    }
  }, PRELOAD_DELAY_MS)

if (document.documentElement.dataset['who'] === 'user') preloadIslands()
else addEventListener('porchlight:session', preloadIslands)

window.placeTiles = () => {
  const body = document.querySelector<HTMLElement>('.live-body')
  if (body) placeTiles(body)
}
window.placeTiles()
