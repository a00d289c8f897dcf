interface Mover {
  moveBefore?: (node: Node, before: Node | null) => void
}

/** Moves a camera's video to `place`. Uses `moveBefore` if the browser has it, so that the video keeps playing. */
export function placePicture(box: HTMLElement, place: HTMLElement): void {
  const mover: Mover = place
  if (mover.moveBefore && box.isConnected && place.isConnected) mover.moveBefore(box, place.firstChild)
  else place.prepend(box)
}

/** Returns the video to its tile; removes it if the tile is gone. */
export function returnPicture(box: HTMLElement, deviceId: string): void {
  const tile = document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)
  if (tile) placePicture(box, tile)
  else box.remove()
}
