import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StopError } from './stop.ts'

/** Creates the data folder and its `logs` and `state`, mode 0700. Throws a `StopError` if that fails. */
export function createDataFolder(data: string): void {
  try {
    for (const folder of [data, join(data, 'logs'), join(data, 'state')])
      mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StopError(
      `The data folder ${data} can't be created (${error instanceof Error ? error.message : String(error)}). Choose another folder with --data.`,
    )
  }
}

/**
 * Deletes accounts, recordings, cameras with their owner settings, secrets and logs, for `--fresh`. Then creates the
 * empty folders again. The caller must have stopped all processes that use the folder.
 */
export function emptyDataFolder(data: string): void {
  for (const name of [
    'state',
    'site',
    'logs',
    'queue',
    'visits',
    'secrets.env',
    'run.env',
    'bridge.key',
    'sealing.key',
    'cameras.json',
    'cameras.secret',
    'choices.json',
    'pasts.json',
    'migrated',
    'restored.json',
    'version.json',
  ]) {
    rmSync(join(data, name), { recursive: true, force: true })
  }
  createDataFolder(data)
}
