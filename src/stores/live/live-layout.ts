import { atom, computed } from 'nanostores'
import { keptJson, keptText } from '../storage/persistent.ts'
import { KEYS } from '../storage/storage.ts'

export const LAYOUTS = ['focus', 'four', 'nine', 'one'] as const
export type Layout = (typeof LAYOUTS)[number]

/** The parameter of /live that shows one camera alone: `/live?camera=ID`. */
export const CAMERA_PARAM = 'camera'

const $keptLayout = keptText(KEYS.liveLayout, 'focus')
/** The camera that is shown alone for now, '' for none; the page's address names it. */
export const $alone = atom(new URLSearchParams(globalThis.location?.search).get(CAMERA_PARAM) ?? '')
/** How the tiles are laid out; what was chosen for many is remembered. */
export const $layout = computed([$keptLayout, $alone], (layout, alone): Layout =>
  alone ? 'one' : (LAYOUTS.find((known) => known === layout && known !== 'one') ?? 'focus'),
)
/** Ids of the cameras that the account wants to see (STORE-07); none: all. */
export const $chosenCameras = keptJson<readonly string[]>(KEYS.filterCameras, [], isIds)

export function setLayout(layout: Exclude<Layout, 'one'>): void {
  $alone.set('')
  $keptLayout.set(layout)
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
