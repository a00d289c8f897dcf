import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintSources, replace } from './build.ts'
import { migrateDatabase } from './migrate.ts'
import { writeWorkerOptions } from './workers.ts'

/** Returns the ground folder, which every start copies: options of both Workers, and a migrated, empty database. */
export const groundFolder = (root: string): string => join(root, 'dist/ground')

const SOURCES = ['wrangler.toml', 'provider/wrangler.toml', 'provider/migrations', 'package-lock.json']

/** Builds the ground folder if the folder is missing or older than its sources; wrangler takes seconds to create it. */
export function layGround(root: string): void {
  const ground = groundFolder(root)
  const stamp = join(ground, 'stamp')
  const fingerprint = fingerprintSources(root, SOURCES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  // Builds into a temporary folder, because two `npm start` processes of one clone may build at the same time.
  const fresh = `${ground}-${process.pid}`
  writeWorkerOptions(root, fresh, 'dist/client')
  migrateDatabase(root, fresh)
  writeFileSync(join(fresh, 'stamp'), fingerprint)
  replace(ground, fresh)
  rmSync(`${fresh}.former`, { recursive: true, force: true })
}

/** Migrates the database of a data folder. A new folder starts with a copy of the ground. */
export function layTables(root: string, data: string): void {
  const state = join(data, 'state', 'provider')
  if (!existsSync(join(state, 'v3'))) {
    cpSync(join(groundFolder(root), 'state', 'provider'), state, { recursive: true })
    cpSync(join(groundFolder(root), 'migrated'), join(data, 'migrated'))
  }
  migrateDatabase(root, data)
}
