import { atom, computed } from 'nanostores'
import type { LayoutMode } from '../../domain/live/tile-layout.ts'
import { keptJson, keptText } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

/** How the tiles are laid out: by a rule (src/domain/live/tile-layout.ts), or one camera alone. */
export type Layout = LayoutMode | 'one'

/** The parameter of /live that shows one camera alone: `/live?camera=ID`. */
export const CAMERA_PARAM = 'camera'
/** The one that shows all on a wall: `/live?wall`. */
export const WALL_PARAM = 'wall'

const $keptLayout = keptText(KEYS.liveLayout, 'automatic')
/** What was chosen for many cameras; it is remembered. Two by two and three by three of earlier versions are a grid. */
export const $mode = computed($keptLayout, (stored): LayoutMode => {
  if (stored === 'four' || stored === 'nine') return 'grid'
  return stored === 'focus' || stored === 'grid' ? stored : 'automatic'
})
const named = () => new URLSearchParams(globalThis.location?.search)
/** The camera that is shown alone for now, '' for none; the page's address names it. */
export const $alone = atom(named().get(CAMERA_PARAM) ?? '')
/** Whether the page is the one for a wall (wall-mode.ts); its address says so. */
export const isWallNamed = () => named().has(WALL_PARAM)
export const $isWall = atom(isWallNamed())
export const $layout = computed([$mode, $alone], (mode, alone): Layout => (alone ? 'one' : mode))
/** Ids of the cameras that the account wants to see (STORE-07); none: all. */
export const $chosenCameras = keptJson<readonly string[]>(KEYS.filterCameras, [], isIds)

export function setLayout(mode: LayoutMode): void {
  $alone.set('')
  $keptLayout.set(mode)
}

/** Shows one camera alone, or, if one stands alone already, all of them again. */
export function toggleAlone(deviceId: string): void {
  if (!leaveAlone()) $alone.set(deviceId)
}

/** Back from one camera to all; answers whether there was anything to leave. */
export function leaveAlone(): boolean {
  if ($alone.get() === '') return false
  $alone.set('')
  return true
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
