import { atom, computed } from 'nanostores'
import type { Phase, TileState } from '../../media/live/tile-state-machine.ts'
import { $tiles } from './live-tiles.ts'

/** Log entry of one live connection (OPEN-127). `time` in ms UTC, `ms` since the attempt started. */
export interface CameraLogEntry {
  readonly device_id: string
  readonly time: number
  readonly what: string
  readonly ms: number
}

const ENTRIES_MAX = 300

/** Log of this page's live connections, oldest first; discarded with the page (STORE-08). */
export const $cameraLog = atom<readonly CameraLogEntry[]>([])
export const $liveLogs = computed($cameraLog, (log): Readonly<Partial<Record<string, readonly CameraLogEntry[]>>> => {
  const logs: Partial<Record<string, CameraLogEntry[]>> = {}
  for (const entry of log) (logs[entry.device_id] ??= []).push(entry)
  return logs
})

/** Tile phases that are logged although they are not connection steps. */
const TOLD: readonly Phase[] = ['asleep', 'waking', 'stalled', 'failed']

/** Starts the log with the steps that the tiles have already reached. Returns a function that stops logging. */
export function watchTiles(): () => void {
  let before: Readonly<Record<string, TileState>> = {}
  return $tiles.subscribe((tiles) => {
    const news = Object.entries(tiles).flatMap(([id, tile]) =>
      tile === before[id] ? [] : listNewEntries(id, before[id], tile),
    )
    before = tiles
    if (news.length > 0) $cameraLog.set([...$cameraLog.get(), ...news].slice(-ENTRIES_MAX))
  })
}

function listNewEntries(device_id: string, before: TileState | undefined, tile: TileState): CameraLogEntry[] {
  const previousSteps = before && before.beganAt === tile.beganAt ? before.steps : {}
  const at = (step: string, ms: number): CameraLogEntry => ({
    ...{ device_id, what: step, ms },
    time: Math.round(performance.timeOrigin + tile.beganAt + ms),
  })
  const steps = Object.entries(tile.steps).filter(([step]) => !(step in previousSteps))
  const isTold = tile.phase !== before?.phase && TOLD.includes(tile.phase)
  const word = tile.reason ? `${tile.phase}: ${tile.reason}` : tile.phase
  return [
    ...steps.map(([step, ms]) => at(step, ms)),
    ...(isTold ? [at(word, Math.round(performance.now() - tile.beganAt))] : []),
  ]
}
