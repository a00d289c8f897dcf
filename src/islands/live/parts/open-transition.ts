import { $alone } from '../../../stores/live/live-layout.ts'

const findTile = (deviceId: string) =>
  document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)

let box: DOMRect | null = null
let isFocused = false
let scrolled = 0

/** Records tile position and scroll position when a camera opens. Returns an unsubscribe function. */
export function watchOpening(): () => void {
  return $alone.listen((deviceId, before) => {
    if (before !== '' || deviceId === '') return
    const tile = findTile(deviceId)
    box = tile?.getBoundingClientRect() ?? null
    isFocused = tile?.contains(document.activeElement) ?? false
    scrolled = scrollY
  })
}

/** Returns the opened tile's rectangle once, for the opening animation. */
export function consumeTileRect(): DOMRect | null {
  const rect = box
  box = null
  return rect
}

/** Returns true if the tile had the focus when its camera opened, so that the camera view focuses a button. */
export const hadFocus = (): boolean => isFocused

/** Restores the scroll position, and focuses the camera's tile. */
export function returnTo(deviceId: string): void {
  scrollTo(0, scrolled)
  findTile(deviceId)?.querySelector<HTMLElement>('.live-open')?.focus()
}
