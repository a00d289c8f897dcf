import { loadDevices, loading } from '../home/devices.ts'

let next: Promise<boolean> | null = null

/** Loads the list as it is from now on: a load that is under way may have been answered before what has just changed. */
export function reloadDevices(): Promise<boolean> {
  if (!loading) return loadDevices()
  next ??= loading.then(() => {
    next = null
    return loadDevices()
  })
  return next
}
