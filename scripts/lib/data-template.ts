import { cpSync, existsSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fingerprintSources, replaceFolder } from './build.ts'
import { writeWorkerOptions } from './workers.ts'
import { spawnSync } from 'node:child_process'
import { StopError } from './stop.ts'

/**
 * Returns the template folder. It contains the options of both Workers, which every start reads, and a migrated, empty
 * database, which a new data folder copies.
 */
export const getTemplateFolder = (root: string): string => join(root, 'dist/ground')

const MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const TEMPLATE_SOURCES = ['wrangler.toml', 'provider/wrangler.toml', 'provider/migrations', 'package-lock.json']

/** Builds the template folder if it is missing or outdated. All starts share it, because building takes seconds. */
export function buildTemplate(root: string): void {
  const template = getTemplateFolder(root)
  const stamp = join(template, 'stamp')
  const fingerprint = fingerprintSources(root, TEMPLATE_SOURCES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  // Builds into a temporary folder, because two `npm start` processes of one clone may build at the same time.
  const newFolder = `${template}-${process.pid}`
  writeWorkerOptions(root, newFolder, 'dist/client')
  createDatabase(root, newFolder)
  migrateDatabase(root, newFolder)
  writeFileSync(join(newFolder, 'stamp'), fingerprint)
  replaceFolder(template, newFolder)
  rmSync(`${newFolder}.former`, { recursive: true, force: true })
}

/** Migrates the database of a data folder. A new folder starts with a copy of the template. */
export function prepareDatabase(root: string, data: string): void {
  const state = getProviderState(data)
  if (!existsSync(join(state, 'v3'))) {
    cpSync(getProviderState(getTemplateFolder(root)), state, { recursive: true })
    cpSync(join(getTemplateFolder(root), 'migrated'), join(data, 'migrated'))
  }
  migrateDatabase(root, data)
}

const getProviderState = (data: string): string => join(data, 'state', 'provider')

/** Applies the provider's pending migrations. Does not open the database if the list of migrations is unchanged. */
function migrateDatabase(root: string, data: string): void {
  const names = readdirSync(join(root, 'provider/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const stamp = join(data, 'migrated')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === names.join('\n')) return
  const folder = join(getProviderState(data), 'v3/d1/miniflare-D1DatabaseObject')
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  if (file === undefined)
    throw new StopError(`The database is missing from ${folder}. Restore a backup into another data folder.`)
  const db = new DatabaseSync(join(folder, file))
  try {
    for (const name of names) applyMigration(db, name, readFileSync(join(root, 'provider/migrations', name), 'utf8'))
  } catch (error) {
    throw new StopError(`The database couldn't be migrated: ${error instanceof Error ? error.message : error}`)
  } finally {
    db.close()
  }
  writeFileSync(stamp, names.join('\n'))
}

/** Applies one migration unless it was applied before. Records it in the table that wrangler also uses. */
function applyMigration(db: DatabaseSync, name: string, sql: string): void {
  db.exec(MIGRATION_TABLE)
  if (db.prepare('SELECT 1 FROM d1_migrations WHERE name = ?').get(name) !== undefined) return
  db.exec('BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = on')
  db.exec(sql)
  db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
  db.exec('COMMIT')
}

/** Creates an empty database. Only the name of its file matters here, which wrangler derives from the configuration. */
function createDatabase(root: string, data: string): void {
  const result = spawnSync(
    process.execPath,
    [
      'node_modules/wrangler/bin/wrangler.js',
      'd1',
      'execute',
      'porchlight',
      '--command',
      'SELECT 1',
      '--local',
      '--persist-to',
      getProviderState(data),
      '--config',
      'provider/wrangler.toml',
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: '1' } },
  )
  if (result.status !== 0) throw new StopError(`The database couldn't be created:\n${result.stdout}${result.stderr}`)
}
