import { atom } from 'nanostores'

/** The parameter of /live that shows it on a wall: `/live?wall`. */
const WALL_PARAM = 'wall'

const isNamed = () => new URLSearchParams(globalThis.location?.search).has(WALL_PARAM)

/** Whether the page is the one for a wall; its address says so. */
export const $isWall = atom(isNamed())

/** Back and forward go through it as through pages. */
export function followWall(): () => void {
  const read = () => $isWall.set(isNamed())
  addEventListener('popstate', read)
  return () => removeEventListener('popstate', read)
}

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
