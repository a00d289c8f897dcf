import { atom, computed } from 'nanostores'
import type { LayoutMode } from '../../domain/live/tile-layout.ts'
import { persistentJson, persistentText } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

/** Tile layout: a mode for several cameras (src/domain/live/tile-layout.ts), or one camera alone. */
export type LiveLayout = LayoutMode | 'one'

/** URL parameter of /live that shows one camera: `/live?camera=ID`. */
export const CAMERA_PARAM = 'camera'
/** URL parameter of /live that opens wall mode: `/live?wall`. */
export const WALL_PARAM = 'wall'

const $storedLayout = persistentText(STORAGE_KEYS.liveLayout, 'automatic')
/** Stored layout for several cameras. Earlier versions stored `four` and `nine`, which map to `grid`. */
export const $layoutMode = computed($storedLayout, (stored): LayoutMode => {
  if (stored === 'four' || stored === 'nine') return 'grid'
  return stored === 'focus' || stored === 'grid' ? stored : 'automatic'
})
const readUrlParams = () => new URLSearchParams(globalThis.location?.search)
/** Id of the camera that is shown alone; '' if there is none. Initially from the page's URL. */
export const $singleCameraId = atom(readUrlParams().get(CAMERA_PARAM) ?? '')
export const isWallInUrl = () => readUrlParams().has(WALL_PARAM)
export const $isWallMode = atom(isWallInUrl())
export const $layout = computed([$layoutMode, $singleCameraId], (mode, alone): LiveLayout => (alone ? 'one' : mode))
/** Ids of the cameras in the account's camera filter (STORE-07); empty means all. */
export const $chosenCameras = persistentJson<readonly string[]>(STORAGE_KEYS.filterCameras, [], isIdList)

export function setLayoutMode(mode: LayoutMode): void {
  $singleCameraId.set('')
  $storedLayout.set(mode)
}

export function toggleSingleCamera(deviceId: string): void {
  if (!closeSingleCamera()) $singleCameraId.set(deviceId)
}

/** Switches from a single camera to all cameras. Returns false if no single camera was open. */
export function closeSingleCamera(): boolean {
  if ($singleCameraId.get() === '') return false
  $singleCameraId.set('')
  return true
}

function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
