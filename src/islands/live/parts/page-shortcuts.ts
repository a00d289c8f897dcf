import { $openDialog } from '../../../stores/live/camera-dialog.ts'
import { shiftCamera } from '../../../stores/live/camera-order.ts'
import { announce } from '../../../stores/live/screen-reader-announcement.ts'
import { $alone, leaveAlone } from '../../../stores/live/live-layout.ts'
import { showNext } from '../../../stores/live/adjacent-cameras.ts'
import { $listed, $gridCameras } from '../../../stores/live/live-page.ts'
import { $tileSound, setTileSound } from '../../../stores/live/tile-audio.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { $videoSearchModal } from '../../../stores/shell/search-dialog.ts'

type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'
const ARROWS: readonly string[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] satisfies Arrow[]

/** Handles the page's keyboard shortcuts, which the `?` dialog lists. Returns an unsubscribe function. */
export function watchShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return
    if (act(event)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** Returns true if the key was handled. */
function act({ key, shiftKey }: KeyboardEvent): boolean {
  if (/^[1-9]$/.test(key)) return showNth(Number(key) - 1)
  if (ARROWS.includes(key)) return shiftKey ? moveTile(key as Arrow) : goTo(key as Arrow)
  if (key === 'f') return (toggleTileFullScreen(tileInUse()), true)
  if (key === 'm') return toggleSound()
  if (key === '?') return ($openDialog.set({ kind: 'keys' }), true)
  return key === 'Escape' && !document.fullscreenElement && leaveAlone()
}

/**
 * Returns true if the page must ignore the key: it was handled, the search is open, or a field or dialog has the focus.
 */
export function isElsewhere({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || $videoSearchModal.get()) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, dialog, [popover]') !== null)
  )
}

function showNth(index: number): boolean {
  const camera = $listed.get()[index]
  if (camera) $alone.set(camera.device_id)
  return camera !== undefined
}

/** Full-screen element: the large video while a camera is open, else a tile. */
const large = () => document.querySelector<HTMLElement>('.one-frame')
const tiles = () => [...document.querySelectorAll<HTMLElement>('.live-tile')]
const focused = () => document.activeElement?.closest<HTMLElement>('.live-tile') ?? null

/** Returns the open camera, else the tile with the focus or under the mouse, else the first. */
function tileInUse(): HTMLElement | null {
  return large() ?? focused() ?? document.querySelector<HTMLElement>('.live-tile:hover') ?? tiles()[0] ?? null
}

function toggleSound(): boolean {
  const id = tileInUse()?.dataset['camera'] ?? ''
  if (!$streams.get()[id]?.audio) return false
  setTileSound(id, !$tileSound.get()[id])
  return true
}

/** Focuses the neighbor in the grid; with an open camera, shows the next one. */
function goTo(arrow: Arrow): boolean {
  if ($alone.get() !== '') return showNext(arrow === 'ArrowLeft' || arrow === 'ArrowUp' ? -1 : 1)
  const here = focused()
  const next = here && findNeighbor(here, arrow)
  next?.querySelector<HTMLElement>('.live-open')?.focus()
  return Boolean(next)
}

function moveTile(arrow: Arrow): boolean {
  const tile = focused()
  const id = tile?.dataset['camera']
  if (!id || $alone.get() !== '') return false
  const by = arrow === 'ArrowLeft' || arrow === 'ArrowUp' ? -1 : 1
  if (!shiftCamera(id, by, $gridCameras.get())) return false
  const cameras = $gridCameras.get()
  const at = cameras.findIndex(({ device_id }) => device_id === id)
  announce(`${cameras[at]?.nickname} is now ${at + 1} of ${cameras.length}.`)
  // A tile that moves in the document loses the focus.
  requestAnimationFrame(() => tile.querySelector<HTMLElement>('.live-open')?.focus())
  return true
}

/** Returns the nearest tile in the direction of the arrow. */
function findNeighbor(from: HTMLElement, arrow: Arrow): HTMLElement | undefined {
  const isSideways = arrow === 'ArrowLeft' || arrow === 'ArrowRight'
  const sign = arrow === 'ArrowRight' || arrow === 'ArrowDown' ? 1 : -1
  const here = getCenter(from)
  const away = (tile: HTMLElement) => {
    const there = getCenter(tile)
    const [ahead, aside] = isSideways
      ? [there.x - here.x, Math.abs(there.y - here.y)]
      : [there.y - here.y, Math.abs(there.x - here.x)]
    return ahead * sign > 1 ? Math.round(ahead * sign + 2 * aside) : Infinity
  }
  const ranked = tiles().toSorted((a, b) => away(a) - away(b))
  return ranked.find((tile) => away(tile) < Infinity)
}

function getCenter(tile: HTMLElement): { x: number; y: number } {
  const { x, y, width, height } = tile.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}

export function toggleTileFullScreen(tile: Element | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else tile?.requestFullscreen().catch(() => undefined)
}
