import { atom, computed } from 'nanostores'
import type { LayoutMode } from '../../domain/live/tile-layout.ts'
import { keptJson, keptText } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

/** Tile layout: a mode for several cameras (src/domain/live/tile-layout.ts), or one camera alone. */
export type Layout = LayoutMode | 'one'

/** URL parameter of /live that shows one camera: `/live?camera=ID`. */
export const CAMERA_PARAM = 'camera'
/** URL parameter of /live that opens wall mode: `/live?wall`. */
export const WALL_PARAM = 'wall'

const $keptLayout = keptText(KEYS.liveLayout, 'automatic')
/** Stored layout for several cameras. Earlier versions stored `four` and `nine`, which map to `grid`. */
export const $mode = computed($keptLayout, (stored): LayoutMode => {
  if (stored === 'four' || stored === 'nine') return 'grid'
  return stored === 'focus' || stored === 'grid' ? stored : 'automatic'
})
const named = () => new URLSearchParams(globalThis.location?.search)
/** Camera that is shown alone; '' if none. The page's URL names it. */
export const $alone = atom(named().get(CAMERA_PARAM) ?? '')
/** True if the URL asks for wall mode (wall-mode.ts). */
export const isWallNamed = () => named().has(WALL_PARAM)
export const $isWall = atom(isWallNamed())
export const $layout = computed([$mode, $alone], (mode, alone): Layout => (alone ? 'one' : mode))
/** Ids of the cameras in the account's camera filter (STORE-07); empty means all. */
export const $chosenCameras = keptJson<readonly string[]>(KEYS.filterCameras, [], isIds)

export function setLayout(mode: LayoutMode): void {
  $alone.set('')
  $keptLayout.set(mode)
}

export function toggleAlone(deviceId: string): void {
  if (!leaveAlone()) $alone.set(deviceId)
}

/** Switches from a single camera to all cameras. Returns false if no single camera was open. */
export function leaveAlone(): boolean {
  if ($alone.get() === '') return false
  $alone.set('')
  return true
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
