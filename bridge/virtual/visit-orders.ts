import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Interval at which the folder is polled, ms. */
const LOOK_MS = 200

/**
 * Runs requested visits for a bridge with `--visits none`: a file `DATA/visits/DEVICE_ID` makes that virtual camera
 * record a visit. A request waits until its camera exists. Returns a function that stops polling.
 */
export function watchVisitOrders(data: string, hasVisit: (deviceId: string) => boolean): () => void {
  const folder = join(data, 'visits')
  const pollFolder = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) if (hasVisit(name)) rmSync(join(folder, name), { force: true })
  }
  const timer = setInterval(pollFolder, LOOK_MS)
  return () => clearInterval(timer)
}
