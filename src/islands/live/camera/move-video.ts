interface MoveBeforeTarget {
  moveBefore?: (node: Node, before: Node | null) => void
}

/**
 * Moves a camera's video into `container`. Uses `moveBefore` if the browser has it, so that the video keeps playing.
 */
export function moveVideo(videoBox: HTMLElement, container: HTMLElement): void {
  const target: MoveBeforeTarget = container
  if (target.moveBefore && videoBox.isConnected && container.isConnected)
    target.moveBefore(videoBox, container.firstChild)
  else container.prepend(videoBox)
}

/** Moves the video back to its tile; removes it if the tile no longer exists. */
export function returnVideo(videoBox: HTMLElement, deviceId: string): void {
  const tile = document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)
  if (tile) moveVideo(videoBox, tile)
  else videoBox.remove()
}
