import { constants, existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findFolderUse } from '../run-file.ts'
import { StopError } from '../stop.ts'
import { runFrozen } from './freeze.ts'
import type { SettingsFiles } from './sealed-settings.ts'
import { deleteStagingLeftovers, getStagingFolder } from './staging-folder.ts'

/** Files at the top of the data folder that each start or backup creates again. */
const DERIVED_FILES = /^(run\.env|run\.json|restored\.json|restore-owner\.json|.*\.new|.*\.\d+)$/
/** Folders that are no settings: databases and recordings, which the backup stores as files, and derived folders. */
const OTHER_FOLDERS = /^(state|queue|site|logs|visits|backing-up-.*)$/
/** Storage without lasting data: caches, and the portal's sessions, which a restore ends anyway. */
const EPHEMERAL_STATE = /^state\/(portal|[^/]+\/v3\/cache)\//
const BLOB = /^state\/provider\/v3\/r2\/[^/]+\/blobs\//
/** Recordings that the bridge is still writing. After a crash, it discards them too. */
const UNFINISHED_RECORDING = /^queue\/recording\//
/** Objects that only a backup with recordings contains: clips, thumbnails and last pictures of homes. */
const RECORDING_KEYS = `key LIKE 'h/%'`
const USED_BLOBS_SQL = `SELECT blob_id AS blob FROM _mf_objects
  UNION SELECT blob_id FROM _mf_multipart_parts WHERE object_key IS NOT NULL`
const ATTEMPTS_MAX = 3

export interface Snapshot {
  /** Folder with the copied files. The caller deletes it. */
  readonly folder: string
  readonly settings: SettingsFiles
  /** Paths of the copied files, relative to `folder`, sorted. */
  readonly files: readonly string[]
}

/**
 * Copies the data folder as it is at one moment. While Porchlight runs, pauses its processes for the copy. Throws a
 * `StopError` if Porchlight is still starting, the disk is full or too slow, or a database file is damaged.
 */
export async function createSnapshot(data: string, recordings: boolean): Promise<Snapshot> {
  const folder = getStagingFolder(data)
  await deleteStagingLeftovers(data)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    const settings = await copyAtOneMoment(data, folder, recordings)
    if (settings === null) continue
    await closeDatabases(folder, recordings)
    return { folder, settings, files: listFiles(folder).sort() }
  }
  throw new StopError(`Porchlight was starting or stopping. No backup was made. Try again in a minute.`)
}

/** Returns null if a process started or ended during the copy. */
async function copyAtOneMoment(data: string, folder: string, recordings: boolean): Promise<SettingsFiles | null> {
  const use = findFolderUse(data)
  if (use && !('provider' in use.parts))
    throw new StopError(`Porchlight is still starting at ${use.url}. No backup was made. Try again when it's ready.`)
  const before = JSON.stringify(use?.parts ?? null)
  const settings = await runFrozen(Object.values(use?.parts ?? {}), async (checkTime) => {
    for (const path of listFiles(data, ['state', 'queue']).filter((name) => isIncluded(name, recordings))) {
      checkTime()
      await copyOrLink(data, folder, path)
    }
    return await readSettings(data)
  })
  return JSON.stringify(findFolderUse(data)?.parts ?? null) === before ? settings : null
}

const isIncluded = (path: string, recordings: boolean): boolean =>
  !EPHEMERAL_STATE.test(path) &&
  !UNFINISHED_RECORDING.test(path) &&
  !path.endsWith('-shm') &&
  (recordings || !path.startsWith('queue/'))

/** Copies a file that processes change later. Files that never change after they are written are linked, at no cost. */
async function copyOrLink(data: string, folder: string, path: string): Promise<void> {
  const [source, target] = [join(data, path), join(folder, path)]
  await mkdir(dirname(target), { recursive: true })
  if (BLOB.test(path) || path.startsWith('queue/')) {
    try {
      await link(source, target)
      return
    } catch {
      // The file system has no hard links.
    }
  }
  await copyFile(source, target, constants.COPYFILE_FICLONE)
}

async function readSettings(data: string): Promise<SettingsFiles> {
  const names = listFiles(
    data,
    readdirSync(data).filter((name) => !OTHER_FOLDERS.test(name) && !DERIVED_FILES.test(name)),
  )
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(data, name))] as const)))
}

/** Lists the files in `folder`, as paths relative to it with `/`. */
function listFiles(folder: string, within = readdirSync(folder)): string[] {
  return within
    .filter((name) => existsSync(join(folder, name)))
    .flatMap((name) => {
      if (!statSync(join(folder, name)).isDirectory()) return [name]
      return listFiles(join(folder, name)).map((child) => `${name}/${child}`)
    })
}

/**
 * Moves the write-ahead log of each copied database into its file, and checks the database. Without recordings, then
 * deletes recordings from the index and the files of the bucket.
 */
async function closeDatabases(folder: string, recordings: boolean): Promise<void> {
  const retainedBlobs = new Set<string>()
  for (const path of listFiles(folder).filter((name) => name.endsWith('.sqlite'))) {
    const database = openDatabase(join(folder, path), path)
    if (path.startsWith('state/provider/v3/r2/') && hasTable(database, '_mf_objects')) {
      if (!recordings) database.exec(`DELETE FROM _mf_objects WHERE ${RECORDING_KEYS}`)
      for (const { blob } of database.prepare(USED_BLOBS_SQL).all()) retainedBlobs.add(String(blob))
    }
    database.close()
  }
  for (const path of listFiles(folder).filter((name) => BLOB.test(name)))
    if (!retainedBlobs.has(path.split('/').at(-1) ?? '')) await rm(join(folder, path))
}

function openDatabase(file: string, path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file)
    const [result] = database.prepare('PRAGMA quick_check(1)').all()
    if (result?.['quick_check'] !== 'ok') throw new Error('quick_check failed')
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return database
  } catch {
    throw new StopError(
      `${path} is damaged, so no backup was made. Keep your last backup. To continue without this file's data, stop Porchlight and delete the file.`,
    )
  }
}

export const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined
