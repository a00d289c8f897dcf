import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages, fingerprintOf, replace } from '../../scripts/lib/build.ts'
import { migrate } from '../../scripts/lib/migrate.ts'
import { buildWorkers, writeWorkerOptions, type WorkerPart } from '../../scripts/lib/workers.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** What every stage starts from: how both Workers are configured, and a database that has all its tables. */
export const GROUND = join(root, 'dist/test-ground')
const SOURCES = ['wrangler.toml', 'provider/wrangler.toml', 'provider/migrations', 'package-lock.json']

/**
 * Builds what stages start from where it is missing or older than its sources: the Workers and the ground; pages only where
 * there are none, because the Workers' tests look at no more of them than that they are there.
 */
export function layGround(): void {
  if (!existsSync(join(root, 'dist/client/index.html'))) buildPages(root, console.log)
  buildWorkers(root, console.log)
  const stamp = join(GROUND, 'stamp')
  const fingerprint = fingerprintOf(root, SOURCES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  // Into a folder of its own: two runs of one clone may do this at the same time.
  const fresh = `${GROUND}-${process.pid}`
  writeWorkerOptions(root, fresh, 'dist/client')
  migrate(root, fresh)
  writeFileSync(join(fresh, 'stamp'), fingerprint)
  replace(GROUND, fresh)
  rmSync(`${fresh}.former`, { recursive: true, force: true })
}

/** Puts a Worker's storage, as it is after all migrations, into `folder`. */
export function copyState(worker: WorkerPart, folder: string): void {
  const from = join(GROUND, 'state', worker, 'v3')
  if (existsSync(from)) cpSync(from, folder, { recursive: true })
}
