import { atom } from 'nanostores'
import { getLiveLayouts, LAYOUTS_MAX, setLiveLayouts, type SavedLayout } from '../../../contract/live/saved-layouts.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, told } from '../shell/report-failure.ts'
import { saveCameraFilter } from './camera-filter.ts'
import { orderAs } from './camera-order.ts'
import { $chosenCameras, $mode, setLayout } from './live-layout.ts'
import { $cameras } from './live-page.ts'

/** The layouts that the account has saved; null until they are known. */
export const $savedLayouts = atom<readonly SavedLayout[] | null>(null)

let saves = 0

/** Asks for them, since another browser may have changed them. */
export async function loadSavedLayouts(): Promise<Failure | null> {
  const before = saves
  const answer = await told('place', request(getLiveLayouts, {}))
  if (!answer.ok) return answer
  // What was saved meanwhile is newer.
  if (before === saves) $savedLayouts.set(answer.data.layouts)
  return null
}

/** Whether another one may be saved. */
export const hasRoom = (layouts: readonly SavedLayout[]): boolean => layouts.length < LAYOUTS_MAX

/** Keeps what the page shows now under a name; a name that is there already is kept anew. */
export function saveLayout(name: string): Promise<Failure | null> {
  const shown = $chosenCameras.get()
  const order = $cameras.get().map(({ device_id }) => device_id)
  return keep([...others(name), { name: name.trim(), mode: $mode.get(), order, shown: [...shown] }])
}

export const renameLayout = (from: string, to: string): Promise<Failure | null> =>
  keep(others(to, from).map((one) => (one.name === from ? { ...one, name: to.trim() } : one)))

export const deleteLayout = (name: string): Promise<Failure | null> => keep(others(name))

/** Shows a saved layout: how the tiles stand, which cameras, and in what order. */
export async function showLayout({ mode, order, shown }: SavedLayout): Promise<Failure | null> {
  setLayout(mode)
  orderAs(order)
  return shown.join() === $chosenCameras.get().join() ? null : saveCameraFilter([...shown])
}

/** All but that of this name, unless it is the one to spare. */
const others = (name: string, spared = ''): readonly SavedLayout[] =>
  ($savedLayouts.get() ?? []).filter((one) => one.name === spared || one.name !== name.trim())

async function keep(layouts: readonly SavedLayout[]): Promise<Failure | null> {
  const answer = await told('toast', request(setLiveLayouts, { layouts: [...layouts] }))
  if (!answer.ok) return answer
  saves += 1
  $savedLayouts.set(answer.data.layouts)
  return null
}
