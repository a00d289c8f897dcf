import { $singleCameraId } from '../../../stores/live/live-layout.ts'

const findTile = (deviceId: string) =>
  document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)

let openedTileRect: DOMRect | null = null
let wasTileFocused = false
let savedScrollY = 0

/**
 * When a camera opens, records the rectangle and the focus of its tile, and the scroll position. Returns an unsubscribe
 * function.
 */
export function watchCameraOpening(): () => void {
  return $singleCameraId.listen((deviceId, previousId) => {
    if (previousId !== '' || deviceId === '') return
    const tile = findTile(deviceId)
    openedTileRect = tile?.getBoundingClientRect() ?? null
    wasTileFocused = tile?.contains(document.activeElement) ?? false
    savedScrollY = scrollY
  })
}

/** Returns the opened tile's rectangle for the opening animation, and discards it; null if there is none. */
export function consumeTileRect(): DOMRect | null {
  const rect = openedTileRect
  openedTileRect = null
  return rect
}

/**
 * Returns true if the tile had the focus when its camera opened, or has it below a view that loaded late. The camera
 * view then focuses its back button.
 */
export const hadTileFocus = (): boolean => wasTileFocused || document.activeElement?.closest('.live-tile') != null

/** Restores the scroll position of the grid, and focuses the camera's tile. */
export function restoreScrollAndFocus(deviceId: string): void {
  scrollTo(0, savedScrollY)
  findTile(deviceId)?.querySelector<HTMLElement>('.live-open')?.focus()
}
