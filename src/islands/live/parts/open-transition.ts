import { $alone } from '../../../stores/live/live-layout.ts'

const findTile = (deviceId: string) =>
  document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)

let box: DOMRect | null = null
let isFocused = false
let scrolled = 0

/** Notes where a camera's tile is when it is opened, and how far the page was scrolled. Ends with the returned function. */
export function watchOpening(): () => void {
  return $alone.listen((deviceId, before) => {
    if (before !== '' || deviceId === '') return
    const tile = findTile(deviceId)
    box = tile?.getBoundingClientRect() ?? null
    isFocused = tile?.contains(document.activeElement) ?? false
    scrolled = scrollY
  })
}

/** The place that the opened camera's tile had, once: the picture grows from there. */
export function consumeTileRect(): DOMRect | null {
  const rect = box
  box = null
  return rect
}

/** Whether the tile had the focus, which its picture's view then takes over. */
export const hadFocus = (): boolean => isFocused

/** Back among all cameras: the page is where it was, and the camera's tile has the focus. */
export function returnTo(deviceId: string): void {
  scrollTo(0, scrolled)
  findTile(deviceId)?.querySelector<HTMLElement>('.live-open')?.focus()
}
