import { cpSync, existsSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintSources, replaceFolder } from './build.ts'
import { writeWorkerOptions } from './workers.ts'
import { spawnSync } from 'node:child_process'
import { StopError } from './stop.ts'

/**
 * Returns the template folder. It contains the options of both Workers, which every start reads, and a migrated, empty
 * database, which a new data folder copies.
 */
export const getTemplateFolder = (root: string): string => join(root, 'dist/ground')

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
  migrateDatabase(root, newFolder)
  writeFileSync(join(newFolder, 'stamp'), fingerprint)
  replaceFolder(template, newFolder)
  rmSync(`${newFolder}.former`, { recursive: true, force: true })
}

/** Migrates the database of a data folder. A new folder starts with a copy of the template. */
export function prepareDatabase(root: string, data: string): void {
  const state = join(data, 'state', 'provider')
  if (!existsSync(join(state, 'v3'))) {
    cpSync(join(getTemplateFolder(root), 'state', 'provider'), state, { recursive: true })
    cpSync(join(getTemplateFolder(root), 'migrated'), join(data, 'migrated'))
  }
  migrateDatabase(root, data)
}

/** Applies the provider's pending migrations. Skips wrangler, which is slow, if the list of migrations is unchanged. */
function migrateDatabase(root: string, data: string): void {
  const expected = readdirSync(join(root, 'provider/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .join('\n')
  const stamp = join(data, 'migrated')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return
  const result = spawnSync(
    process.execPath,
    [
      'node_modules/wrangler/bin/wrangler.js',
      'd1',
      'migrations',
      'apply',
      'porchlight',
      '--local',
      '--persist-to',
      join(data, 'state', 'provider'),
      '--config',
      'provider/wrangler.toml',
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: '1' } },
  )
  if (result.status !== 0)
    throw new StopError(`The provider's tables couldn't be migrated:\n${result.stdout}${result.stderr}`)
  writeFileSync(stamp, expected)
}
