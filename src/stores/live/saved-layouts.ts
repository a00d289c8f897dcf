import { atom } from 'nanostores'
import { getLiveLayouts, LAYOUTS_MAX, setLiveLayouts, type SavedLayout } from '../../../contract/live/saved-layouts.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { saveCameraFilter } from './camera-filter.ts'
import { sortCamerasAs } from './camera-order.ts'
import { $chosenCameras, $layoutMode, setLayoutMode } from './live-layout.ts'
import { $liveCameras } from './live-page.ts'

export const $savedLayouts = atom<readonly SavedLayout[] | null>(null)

let saveCount = 0

/** Reloads the layouts, because another browser may have changed them. */
export async function loadSavedLayouts(): Promise<Failure | null> {
  const saveCountAtStart = saveCount
  const response = await withFailureShown('place', request(getLiveLayouts, {}))
  if (!response.ok) return response
  // If the user has saved layouts since the request, they are newer than this response.
  if (saveCountAtStart === saveCount) $savedLayouts.set(response.data.layouts)
  return null
}

export const canSaveMoreLayouts = (layouts: readonly SavedLayout[]): boolean => layouts.length < LAYOUTS_MAX

/** Saves the current layout of the page under a name. Replaces an existing layout of that name. */
export function saveLayout(name: string): Promise<Failure | null> {
  const filteredCameras = $chosenCameras.get()
  const order = $liveCameras.get().map(({ device_id }) => device_id)
  return storeLayouts([
    ...listOtherLayouts(name),
    { name: name.trim(), mode: $layoutMode.get(), order, shown: [...filteredCameras] },
  ])
}

export const renameLayout = (from: string, to: string): Promise<Failure | null> =>
  storeLayouts(
    listOtherLayouts(to, from).map((layout) => (layout.name === from ? { ...layout, name: to.trim() } : layout)),
  )

export const deleteLayout = (name: string): Promise<Failure | null> => storeLayouts(listOtherLayouts(name))

export async function applyLayout({ mode, order, shown: shownIds }: SavedLayout): Promise<Failure | null> {
  setLayoutMode(mode)
  sortCamerasAs(order)
  return shownIds.join() === $chosenCameras.get().join() ? null : saveCameraFilter([...shownIds])
}

/** Returns the layouts except the one with this name. Always keeps the layout named `keptName`. */
const listOtherLayouts = (name: string, keptName = ''): readonly SavedLayout[] =>
  ($savedLayouts.get() ?? []).filter((layout) => layout.name === keptName || layout.name !== name.trim())

async function storeLayouts(layouts: readonly SavedLayout[]): Promise<Failure | null> {
  const response = await withFailureShown('toast', request(setLiveLayouts, { layouts: [...layouts] }))
  if (!response.ok) return response
  saveCount += 1
  $savedLayouts.set(response.data.layouts)
  return null
}
