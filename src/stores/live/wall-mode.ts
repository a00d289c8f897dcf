import { $isWall, isWallNamed, WALL_PARAM } from './live-layout.ts'

/** Back and forward go through the wall as through pages, from now on: while its script is on its way nothing else stands on the page. */
export function syncWallWithUrl(): void {
  addEventListener('popstate', readAddress)
  readAddress()
}

const readAddress = () => $isWall.set(isWallNamed())

export function openWall(): void {
  history.pushState({ ...(history.state as object | null), wall: true }, '', `/live?${WALL_PARAM}`)
  $isWall.set(true)
}

/** Back to where it was opened; a wall that was opened by its address gives the page in its place. */
export function leaveWall(): void {
  if ((history.state as { wall?: boolean } | null)?.wall) return history.back()
  history.replaceState(history.state, '', '/live')
  $isWall.set(false)
}
