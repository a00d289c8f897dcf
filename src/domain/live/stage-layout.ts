import {
  TILE_ASPECT,
  TILE_GAP_PX,
  totalArea,
  arrangeTiles,
  type LayoutMode,
  type TileRect,
  type Size,
} from './tile-layout.ts'

/** Position of the Today panel: beside the tiles, below them, below the second of two tiles, or hidden. */
export type TodayPosition = 'beside' | 'below' | 'under' | 'none'
export interface LiveBodyLayout {
  readonly places: readonly TileRect[]
  readonly today: TodayPosition
  readonly todayBox: TileRect
}

/**
 * Minimum width of the page body at which the Today panel is always shown. A panel at the side of the tiles then has
 * its wide width. In a window of 1440 px, the body is wider than this minimum.
 */
const WIDE_BODY_MIN_PX = 1340
const SIDE_PANEL_WIDTH_PX = { wide: 296, narrow: 220 }
const SIDE_PANEL_GAP_PX = 20
/** A panel at the side ends with the tiles, but is at least so high if there is room. */
const SIDE_PANEL_MIN_HEIGHT_PX = 420
const BOTTOM_PANEL_HEIGHT_PX = 132
/**
 * Minimum free height below the tiles at which the Today panel is shown there if the body is narrower than
 * `WIDE_BODY_MIN_PX`.
 */
const BOTTOM_PANEL_MIN_HEIGHT_PX = 120
const EMPTY_RECT: TileRect = { x: 0, y: 0, width: 0, height: 0 }

/**
 * Returns the positions of the tiles and the Today panel in the body of /live. The positions depend only on the number
 * of cameras, the body size and the layout mode, never on camera states.
 */
export function layoutLiveBody(count: number, { width, height }: Size, mode: LayoutMode): LiveBodyLayout {
  const isWide = width >= WIDE_BODY_MIN_PX
  const panelWidth = isWide ? SIDE_PANEL_WIDTH_PX.wide : SIDE_PANEL_WIDTH_PX.narrow
  const tileArea = { width: width - panelWidth - SIDE_PANEL_GAP_PX, height }
  const areas = isWide
    ? [tileArea, { width, height: height - BOTTOM_PANEL_HEIGHT_PX - TILE_GAP_PX }]
    : [{ width, height }]
  const { room, places } = arrangeTiles(count, areas, mode)
  if (count === 2 && mode !== 'grid') {
    const pair = layoutTwoTiles(tileArea, panelWidth)
    if (totalArea(pair) > totalArea(places) || (mode === 'focus' && width > height))
      return addTodayPanel(pair, 'under', width, height)
  }
  const tilesHeight = Math.max(...places.map((place) => place.y + place.height)) - Math.min(...places.map(({ y }) => y))
  if (isWide && room === 0) return addTodayPanel(alignToTop(places), 'beside', width, height)
  const today = isWide || height - tilesHeight - TILE_GAP_PX >= BOTTOM_PANEL_MIN_HEIGHT_PX ? 'below' : 'none'
  return addTodayPanel(alignToTop(places), today, width, height)
}

const alignToTop = (tileRects: readonly TileRect[]) => {
  const top = Math.min(...tileRects.map(({ y }) => y))
  return tileRects.map((place) => ({ ...place, y: place.y - top }))
}

/**
 * Returns a large tile and a second tile as wide as the Today panel. The panel takes the rest of the second tile's
 * column.
 */
function layoutTwoTiles(tileArea: Size, panelWidth: number): TileRect[] {
  const width = Math.min(tileArea.width, tileArea.height * TILE_ASPECT)
  const second = { x: tileArea.width + SIDE_PANEL_GAP_PX, y: 0, width: panelWidth, height: panelWidth / TILE_ASPECT }
  return [{ x: (tileArea.width - width) / 2, y: 0, width, height: width / TILE_ASPECT }, second]
}

function addTodayPanel(
  tileRects: readonly TileRect[],
  today: TodayPosition,
  width: number,
  height: number,
): LiveBodyLayout {
  const tilesBottom = Math.max(...tileRects.map((place) => place.y + place.height))
  const panelTop = tilesBottom + TILE_GAP_PX
  const sideBottom = Math.min(height, Math.max(tilesBottom, SIDE_PANEL_MIN_HEIGHT_PX))
  const panelWidth = width >= WIDE_BODY_MIN_PX ? SIDE_PANEL_WIDTH_PX.wide : SIDE_PANEL_WIDTH_PX.narrow
  const top = today === 'under' ? tileRects[1]!.height + TILE_GAP_PX : 0
  const todayRect = {
    beside: { x: width - panelWidth, y: 0, width: panelWidth, height: sideBottom },
    under: { x: width - panelWidth, y: top, width: panelWidth, height: sideBottom - top },
    below: { x: 0, y: panelTop, width, height: height - panelTop },
    none: EMPTY_RECT,
  }[today]
  return { places: tileRects, today, todayBox: todayRect }
}
