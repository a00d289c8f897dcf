import { $isWall, isWallNamed, WALL_PARAM } from './live-layout.ts'

/**
 * Opens and closes wall mode with the URL, so that Back and Forward treat it as a page. While the script of wall mode
 * loads, the page shows nothing else.
 */
export function syncWallWithUrl(): void {
  addEventListener('popstate', readAddress)
  readAddress()
}

const readAddress = () => $isWall.set(isWallNamed())

export function openWall(): void {
  history.pushState({ ...(history.state as object | null), wall: true }, '', `/live?${WALL_PARAM}`)
  $isWall.set(true)
}

/** Leaves wall mode and returns to the previous view. If the URL opened wall mode, replaces the URL with /live. */
export function leaveWall(): void {
  if ((history.state as { wall?: boolean } | null)?.wall) return history.back()
  history.replaceState(history.state, '', '/live')
  $isWall.set(false)
}
