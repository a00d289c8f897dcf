import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Returns a message that names the damaged SQLite files in `DATA/state` and the remedy; undefined if none is damaged.
 */
export function describeDamage(data: string): string | undefined {
  const files = findDamagedFiles(join(data, 'state'))
  if (files.length === 0) return undefined
  return `${new Intl.ListFormat('en-US').format(files)} can't be read. Stop Porchlight and restore the data folder from a backup (docs/operations.md, Backup).`
}

/**
 * Returns the paths of the SQLite files in `state` that cannot be read or that fail SQLite's quick check. Can run
 * beside a running Worker and changes nothing.
 */
export function findDamagedFiles(state: string): string[] {
  if (!existsSync(state)) return []
  const names = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sqlite'))
  return names.map((name) => join(state, name)).filter((path) => !isIntact(path))
}

function isIntact(path: string): boolean {
  const url = pathToFileURL(path)
  // Opens the file without locks and without the write-ahead log, because a running Worker may use both.
  url.search = '?immutable=1'
  try {
    const database = new DatabaseSync(url, { readOnly: true })
    const [found] = database.prepare('PRAGMA quick_check(1)').all()
    database.close()
    return found?.['quick_check'] === 'ok'
  } catch {
    return false
  }
}
