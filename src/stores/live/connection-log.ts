import { atom, computed } from 'nanostores'
import type { TilePhase, TileState } from '../../media/live/tile-state-machine.ts'
import { $tiles } from './live-tiles.ts'

/**
 * Log entry of one live connection (OPEN-127). `what`: connection step or tile phase. `time`: ms UTC. `ms`: time since
 * the connection attempt started.
 */
export interface CameraLogEntry {
  readonly device_id: string
  readonly time: number
  readonly what: string
  readonly ms: number
}

const MAX_LOG_ENTRIES = 300

/** Log of this page's live connections, oldest first; discarded with the page (STORE-08). */
export const $cameraLog = atom<readonly CameraLogEntry[]>([])
export const $liveLogs = computed($cameraLog, (log): Readonly<Partial<Record<string, readonly CameraLogEntry[]>>> => {
  const logs: Partial<Record<string, CameraLogEntry[]>> = {}
  for (const entry of log) (logs[entry.device_id] ??= []).push(entry)
  return logs
})

/** Tile phases that the log contains in addition to the connection steps. */
const LOGGED_PHASES: readonly TilePhase[] = ['asleep', 'waking', 'stalled', 'failed']

/**
 * Logs tile changes, starting with the steps that the tiles have already reached. Returns a function that stops
 * logging.
 */
export function logTileChanges(): () => void {
  let previousTiles: Readonly<Record<string, TileState>> = {}
  return $tiles.subscribe((tiles) => {
    const newEntries = Object.entries(tiles).flatMap(([id, tile]) =>
      tile === previousTiles[id] ? [] : listNewEntries(id, previousTiles[id], tile),
    )
    previousTiles = tiles
    if (newEntries.length > 0) $cameraLog.set([...$cameraLog.get(), ...newEntries].slice(-MAX_LOG_ENTRIES))
  })
}

function listNewEntries(device_id: string, previousTile: TileState | undefined, tile: TileState): CameraLogEntry[] {
  const previousSteps = previousTile && previousTile.beganAt === tile.beganAt ? previousTile.steps : {}
  const createEntry = (step: string, ms: number): CameraLogEntry => ({
    device_id,
    what: step,
    ms,
    time: Math.round(performance.timeOrigin + tile.beganAt + ms),
  })
  const steps = Object.entries(tile.steps).filter(([step]) => !(step in previousSteps))
  const isLogged = tile.phase !== previousTile?.phase && LOGGED_PHASES.includes(tile.phase)
  const phaseText = tile.reason ? `${tile.phase}: ${tile.reason}` : tile.phase
  return [
    ...steps.map(([step, ms]) => createEntry(step, ms)),
    ...(isLogged ? [createEntry(phaseText, Math.round(performance.now() - tile.beganAt))] : []),
  ]
}
