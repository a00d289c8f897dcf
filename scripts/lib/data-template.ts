import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintSources, replaceFolder } from './build.ts'
import { migrateDatabase } from './migrate.ts'
import { writeWorkerOptions } from './workers.ts'

/** Returns the template folder that every start copies: options of both Workers, and a migrated, empty database. */
export const templateFolder = (root: string): string => join(root, 'dist/ground')

const TEMPLATE_SOURCES = ['wrangler.toml', 'provider/wrangler.toml', 'provider/migrations', 'package-lock.json']

/** Builds the template folder if it is missing or outdated. Each start copies it, because building takes seconds. */
export function buildTemplate(root: string): void {
  const template = templateFolder(root)
  const stamp = join(template, 'stamp')
  const fingerprint = fingerprintSources(root, TEMPLATE_SOURCES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  // Builds into a temporary folder, because two `npm start` processes of one clone may build at the same time.
  const fresh = `${template}-${process.pid}`
  writeWorkerOptions(root, fresh, 'dist/client')
  migrateDatabase(root, fresh)
  writeFileSync(join(fresh, 'stamp'), fingerprint)
  replaceFolder(template, fresh)
  rmSync(`${fresh}.former`, { recursive: true, force: true })
}

/** Migrates the database of a data folder. A new folder starts with a copy of the template. */
export function prepareDatabase(root: string, data: string): void {
  const state = join(data, 'state', 'provider')
  if (!existsSync(join(state, 'v3'))) {
    cpSync(join(templateFolder(root), 'state', 'provider'), state, { recursive: true })
    cpSync(join(templateFolder(root), 'migrated'), join(data, 'migrated'))
  }
  migrateDatabase(root, data)
}
