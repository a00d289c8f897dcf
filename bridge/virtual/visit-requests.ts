import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const POLL_INTERVAL_MS = 200

/**
 * Polls for requested visits: a file `DATA/visits/DEVICE_ID` makes the virtual camera with this id record a visit.
 * Keeps a request until its camera exists. Returns a function that stops polling.
 */
export function watchVisitRequests(data: string, startVisit: (deviceId: string) => boolean): () => void {
  const folder = join(data, 'visits')
  const pollFolder = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) if (startVisit(name)) rmSync(join(folder, name), { force: true })
  }
  const timer = setInterval(pollFolder, POLL_INTERVAL_MS)
  return () => clearInterval(timer)
}
