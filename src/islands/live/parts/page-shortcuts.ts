import { $openDialog } from '../../../stores/live/camera-dialog.ts'
import { moveCameraByOne } from '../../../stores/live/camera-order.ts'
import { announce } from '../../../stores/live/screen-reader-announcement.ts'
import { $singleCameraId, closeSingleCamera } from '../../../stores/live/live-layout.ts'
import { showAdjacentCamera } from '../../../stores/live/adjacent-cameras.ts'
import { $listedCameras, $gridCameras } from '../../../stores/live/live-page.ts'
import { $tileAudioByCamera, setTileAudio } from '../../../stores/live/tile-audio.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { releaseShortcut } from '../../../stores/shell/held-shortcut.ts'
import { $videoSearchModal } from '../../../stores/shell/search-dialog.ts'

type ArrowKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'
const ARROW_KEYS: readonly string[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] satisfies ArrowKey[]

/** Handles the page's keyboard shortcuts, which the `?` dialog lists. Returns an unsubscribe function. */
export function watchShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || shouldIgnoreKey(event)) return
    if (handleKey(event)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  document.documentElement.dataset['keys'] = ''
  if (releaseShortcut('?')) showShortcuts()
  return () => {
    delete document.documentElement.dataset['keys']
    document.removeEventListener('keydown', onKey)
  }
}

/** Returns true if the key was handled. */
function handleKey({ key, shiftKey }: KeyboardEvent): boolean {
  if (/^[1-9]$/.test(key)) return showCameraAt(Number(key) - 1)
  if (ARROW_KEYS.includes(key)) return shiftKey ? moveTile(key as ArrowKey) : goToNeighbor(key as ArrowKey)
  if (key === 'f') return (toggleTileFullScreen(findActiveTile()), true)
  if (key === 'm') return toggleSound()
  if (key === '?') return (showShortcuts(), true)
  return key === 'Escape' && !document.fullscreenElement && closeSingleCamera()
}

const showShortcuts = () => $openDialog.set({ kind: 'keys' })

/**
 * Returns true if the page must ignore the key: another listener has handled it, the search is open, or the focus is in
 * a form field, a dialog or a popover.
 */
export function shouldIgnoreKey({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || $videoSearchModal.get()) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, dialog, [popover]') !== null)
  )
}

function showCameraAt(index: number): boolean {
  const camera = $listedCameras.get()[index]
  if (camera) $singleCameraId.set(camera.device_id)
  return camera !== undefined
}

/** Returns the large video of the open camera; null if no camera is open. */
const findLargeVideo = () => document.querySelector<HTMLElement>('.one-frame')
const listTiles = () => [...document.querySelectorAll<HTMLElement>('.live-tile')]
const findFocusedTile = () => document.activeElement?.closest<HTMLElement>('.live-tile') ?? null

function findActiveTile(): HTMLElement | null {
  return (
    findLargeVideo() ??
    findFocusedTile() ??
    document.querySelector<HTMLElement>('.live-tile:hover') ??
    listTiles()[0] ??
    null
  )
}

function toggleSound(): boolean {
  const id = findActiveTile()?.dataset['camera'] ?? ''
  if (!$streams.get()[id]?.audio) return false
  setTileAudio(id, !$tileAudioByCamera.get()[id])
  return true
}

function goToNeighbor(arrow: ArrowKey): boolean {
  if ($singleCameraId.get() !== '') return showAdjacentCamera(arrow === 'ArrowLeft' || arrow === 'ArrowUp' ? -1 : 1)
  const here = findFocusedTile()
  const next = here && findNeighborTile(here, arrow)
  next?.querySelector<HTMLElement>('.live-open')?.focus()
  return Boolean(next)
}

function moveTile(arrow: ArrowKey): boolean {
  const tile = findFocusedTile()
  const id = tile?.dataset['camera']
  if (!id || $singleCameraId.get() !== '') return false
  const direction = arrow === 'ArrowLeft' || arrow === 'ArrowUp' ? -1 : 1
  if (!moveCameraByOne(id, direction, $gridCameras.get())) return false
  const cameras = $gridCameras.get()
  const position = cameras.findIndex(({ device_id }) => device_id === id)
  announce(`${cameras[position]?.nickname} moved to position ${position + 1} of ${cameras.length}.`)
  // Restores the focus, because a tile that moves in the document loses it.
  requestAnimationFrame(() => tile.querySelector<HTMLElement>('.live-open')?.focus())
  return true
}

function findNeighborTile(from: HTMLElement, arrow: ArrowKey): HTMLElement | undefined {
  const isSideways = arrow === 'ArrowLeft' || arrow === 'ArrowRight'
  const sign = arrow === 'ArrowRight' || arrow === 'ArrowDown' ? 1 : -1
  const here = getCenter(from)
  const getDistance = (tile: HTMLElement) => {
    const there = getCenter(tile)
    const [ahead, aside] = isSideways
      ? [there.x - here.x, Math.abs(there.y - here.y)]
      : [there.y - here.y, Math.abs(there.x - here.x)]
    return ahead * sign > 1 ? Math.round(ahead * sign + 2 * aside) : Infinity
  }
  const ranked = listTiles().toSorted((a, b) => getDistance(a) - getDistance(b))
  return ranked.find((tile) => getDistance(tile) < Infinity)
}

function getCenter(tile: HTMLElement): { x: number; y: number } {
  const { x, y, width, height } = tile.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}

export function toggleTileFullScreen(tile: Element | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else tile?.requestFullscreen().catch(() => undefined)
}
