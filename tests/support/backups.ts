import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { createBackup } from '../../scripts/lib/backup/create-backup.ts'
import { restoreBackup } from '../../scripts/lib/backup/restore-backup.ts'

export const ROOT = new URL('../..', import.meta.url).pathname
export const PASSPHRASE = 'four words are enough'

/** Creates an empty folder for a test. The test deletes it. */
export const createTestFolder = (): string => mkdtempSync(join(tmpdir(), 'porchlight-backup-'))

/** Unpacks a data folder that an earlier version wrote into `data`. */
export function unpackDataFolder(data: string, name = 'data-744dbfe5'): void {
  expect(spawnSync('mkdir', ['-p', data]).status).toBe(0)
  const archive = new URL(`../fixtures/${name}.tar.gz`, import.meta.url).pathname
  expect(spawnSync('tar', ['-xzf', archive, '-C', data], { encoding: 'utf8' })).toMatchObject({ status: 0 })
}

export const backUp = (data: string, file: string, recordings = false) =>
  createBackup({ data, file, recordings, passphrase: PASSPHRASE })

export const restore = (file: string, data: string, { replace = false, passphrase = PASSPHRASE } = {}) =>
  restoreBackup({
    file,
    data,
    replace,
    readPassphrase: async () => passphrase,
    root: ROOT,
    printLine: () => undefined,
  })

/** Returns the paths of all files in a folder, sorted. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

/** Returns a digest of names and contents of all files in a folder; null if the folder is missing. */
export function digestFolder(folder: string): string | null {
  if (!existsSync(folder)) return null
  const hash = createHash('sha256')
  for (const name of listFiles(folder)) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

/** Returns all rows of a SQLite file, as JSON by table. */
export function readRows(path: string): Record<string, string[]> {
  const database = new DatabaseSync(path)
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  const rows = tables.map(({ name }) => {
    const statement = database.prepare(`SELECT * FROM "${String(name)}"`)
    statement.setReadBigInts(true)
    return [String(name), statement.all().map(formatRow).sort()] as const
  })
  database.close()
  return Object.fromEntries(rows)
}

const formatRow = (row: object): string =>
  JSON.stringify(row, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
