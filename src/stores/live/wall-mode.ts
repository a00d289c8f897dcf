import { $isWall, isWallNamed, WALL_PARAM } from './live-layout.ts'

/** Makes Back and Forward treat wall mode as a page. While its script loads, the page shows nothing else. */
export function syncWallWithUrl(): void {
  addEventListener('popstate', readAddress)
  readAddress()
}

const readAddress = () => $isWall.set(isWallNamed())

export function openWall(): void {
  history.pushState({ ...(history.state as object | null), wall: true }, '', `/live?${WALL_PARAM}`)
  $isWall.set(true)
}

/** Returns to the previous view; a wall opened by its URL is replaced by /live. */
export function leaveWall(): void {
  if ((history.state as { wall?: boolean } | null)?.wall) return history.back()
  history.replaceState(history.state, '', '/live')
  $isWall.set(false)
}
