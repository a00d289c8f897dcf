import { $isWallMode, isWallInUrl, WALL_PARAM } from './live-layout.ts'

/** Sets wall mode from the URL, now and after each Back or Forward. */
export function syncWallModeWithUrl(): void {
  addEventListener('popstate', readWallFromUrl)
  readWallFromUrl()
}

const readWallFromUrl = () => $isWallMode.set(isWallInUrl())

export function openWallMode(): void {
  history.pushState({ ...(history.state as object | null), wall: true }, '', `/live?${WALL_PARAM}`)
  $isWallMode.set(true)
}

/**
 * Closes wall mode and returns to the previous view. If wall mode was opened from a link, replaces the URL with /live.
 */
export function closeWallMode(): void {
  if ((history.state as { wall?: boolean } | null)?.wall) return history.back()
  history.replaceState(history.state, '', '/live')
  $isWallMode.set(false)
}
