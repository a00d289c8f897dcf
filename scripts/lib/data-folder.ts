import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatCommand } from './command.ts'
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
 * empty folders again. Keeps the certificate authority (`tls`), so that devices still trust the hub. The caller must have
 * stopped all processes that use the folder.
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

/**
 * Counts the demo accounts and the own accounts in the stopped data folder. Counts none if the folder is new or its
 * database is unreadable.
 */
export function countAccounts(data: string): { demo: number; own: number } {
  const counts = { demo: 0, own: 0 }
  const folder = join(data, 'state/provider/v3/d1/miniflare-D1DatabaseObject')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : []
  for (const file of files) {
    try {
      const database = new DatabaseSync(join(folder, file), { readOnly: true })
      for (const row of database.prepare('SELECT demo, count(*) AS n FROM accounts GROUP BY demo').all())
        counts[row['demo'] === 1 ? 'demo' : 'own'] += Number(row['n'])
      database.close()
    } catch {
      // Another database of this folder, or a damaged one: the provider reports damage when it starts.
    }
  }
  return counts
}

/** Throws a `StopError` if the folder has demo accounts, because their passwords are public. */
export function rejectDemoAccounts(data: string): void {
  if (countAccounts(data).demo === 0) return
  throw new StopError(
    `The data folder ${data} contains demo accounts. Their password is public, so anyone in your network could log in. Choose another folder: ${formatCommand('start')} --lan --data .porchlight-home. Or delete everything in this folder: ${formatCommand('start')} --lan --fresh`,
  )
}
