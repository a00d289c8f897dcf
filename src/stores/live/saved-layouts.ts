import { atom } from 'nanostores'
import { getLiveLayouts, LAYOUTS_MAX, setLiveLayouts, type SavedLayout } from '../../../contract/live/saved-layouts.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { saveCameraFilter } from './camera-filter.ts'
import { orderAs } from './camera-order.ts'
import { $chosenCameras, $mode, setLayout } from './live-layout.ts'
import { $liveCameras } from './live-page.ts'

/** Saved layouts of the account; null until loaded. */
export const $savedLayouts = atom<readonly SavedLayout[] | null>(null)

let saves = 0

/** Reloads the layouts, since another browser may have changed them. */
export async function loadSavedLayouts(): Promise<Failure | null> {
  const before = saves
  const answer = await withFailureShown('place', request(getLiveLayouts, {}))
  if (!answer.ok) return answer
  // Layouts saved in the meantime are newer than this response.
  if (before === saves) $savedLayouts.set(answer.data.layouts)
  return null
}

export const hasRoom = (layouts: readonly SavedLayout[]): boolean => layouts.length < LAYOUTS_MAX

/** Saves the current layout of the page under a name and replaces one of the same name. */
export function saveLayout(name: string): Promise<Failure | null> {
  const chosen = $chosenCameras.get()
  const order = $liveCameras.get().map(({ device_id }) => device_id)
  return storeLayouts([...others(name), { name: name.trim(), mode: $mode.get(), order, shown: [...chosen] }])
}

export const renameLayout = (from: string, to: string): Promise<Failure | null> =>
  storeLayouts(others(to, from).map((layout) => (layout.name === from ? { ...layout, name: to.trim() } : layout)))

export const deleteLayout = (name: string): Promise<Failure | null> => storeLayouts(others(name))

export async function showLayout({ mode, order, shown: chosenIds }: SavedLayout): Promise<Failure | null> {
  setLayout(mode)
  orderAs(order)
  return chosenIds.join() === $chosenCameras.get().join() ? null : saveCameraFilter([...chosenIds])
}

/** Returns the layouts except the one with this name. Keeps the layout named `spared` in any case. */
const others = (name: string, spared = ''): readonly SavedLayout[] =>
  ($savedLayouts.get() ?? []).filter((layout) => layout.name === spared || layout.name !== name.trim())

async function storeLayouts(layouts: readonly SavedLayout[]): Promise<Failure | null> {
  const answer = await withFailureShown('toast', request(setLiveLayouts, { layouts: [...layouts] }))
  if (!answer.ok) return answer
  saves += 1
  $savedLayouts.set(answer.data.layouts)
  return null
}
