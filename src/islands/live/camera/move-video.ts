interface Mover {
  moveBefore?: (node: Node, before: Node | null) => void
}

/** Moves a camera's picture to another place without ever taking it off the page, where the browser can do that: it plays on. */
export function placePicture(box: HTMLElement, place: HTMLElement): void {
  const mover: Mover = place
  if (mover.moveBefore && box.isConnected && place.isConnected) mover.moveBefore(box, place.firstChild)
  else place.prepend(box)
}

/** Gives the picture back to its tile, if that is still there. */
export function returnPicture(box: HTMLElement, deviceId: string): void {
  const tile = document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)
  if (tile) placePicture(box, tile)
  else box.remove()
}
