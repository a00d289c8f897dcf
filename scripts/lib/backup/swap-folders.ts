import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { isAlive, readStartTime } from '../process-group.ts'
import { StopError } from '../stop.ts'
import { syncToDisk, syncTree, writeDurably } from './durable.ts'

/** Folder in which a restore builds the new data folder, beside it. */
export const getBuildFolder = (data: string): string => `${data}.restoring`

/** File in the build folder: the process that builds it. */
const OWNER_NAME = 'restore-owner.json'
/** File that completes a build folder. It stays in the data folder until billing continues (reconcile). */
export const RESTORED_NAME = 'restored.json'

const ownerSchema = v.object({ pid: v.number(), startedAt: v.string() })
const restoredSchema = v.object({
  backup_at: v.string(),
  /** Payment gateway of the backup; '' if there was none. */
  gateway: v.optional(v.string(), ''),
  restored_at: v.string(),
  owner: ownerSchema,
})
export type RestoredRecord = v.InferOutput<typeof restoredSchema>

const getOwner = () => ({ pid: process.pid, startedAt: readStartTime(process.pid) ?? '' })

/** Returns the record of the restore that made this data folder, until billing continues; null if there is none. */
export function readRestoredRecord(data: string): RestoredRecord | null {
  return readRecord(join(data, RESTORED_NAME), restoredSchema)
}

/**
 * Finishes or discards a restore that was interrupted, and returns a sentence for the user; null if there was none.
 * Finishes it if the new folder is complete and the previous one is already moved aside. Otherwise discards it, and the
 * previous folder stays. Throws a `StopError` while the restore still runs.
 */
export function settleInterruptedRestore(data: string): string | null {
  const folder = getBuildFolder(data)
  if (!existsSync(folder)) return null
  const builder = readRecord(join(folder, OWNER_NAME), ownerSchema)
  // `completeRestore` deletes the owner's file before it writes the record.
  const restored = builder === null ? readRestoredRecord(folder) : null
  const owner = builder ?? restored?.owner
  if (owner && isAlive(owner) && owner.pid !== process.pid)
    throw new StopError(`A restore into ${data} is running. Wait until it has finished, then try again.`)
  if (restored && isUnused(data)) {
    renameSync(folder, data)
    return `An interrupted restore of ${data} was finished.`
  }
  rmSync(folder, { recursive: true, force: true })
  return `An interrupted restore of ${data} was discarded. The data folder is unchanged.`
}

/** Returns true if a folder is missing or empty. */
export const isUnused = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

/** Creates the empty build folder and returns its path. Throws a `StopError` if that fails. */
export async function createBuildFolder(data: string): Promise<string> {
  if (existsSync(data) && statSync(data).dev !== statSync(dirname(data)).dev)
    throw new StopError(
      `${data} is a mount point, which can't be replaced. Nothing was changed. Choose a folder inside it with --data.`,
    )
  const folder = getBuildFolder(data)
  await mkdir(dirname(data), { recursive: true })
  await mkdir(folder, { mode: 0o700 })
  await writeDurably(join(folder, OWNER_NAME), JSON.stringify(getOwner()))
  return folder
}

/**
 * Replaces the data folder by the complete build folder. Returns the path to which the previous folder was moved; null
 * if it was missing or empty. After a crash at any point, `settleInterruptedRestore` leads to the new or the previous
 * folder.
 */
export async function completeRestore(
  data: string,
  backup: Pick<RestoredRecord, 'backup_at' | 'gateway'>,
  now: Date,
): Promise<string | null> {
  const folder = getBuildFolder(data)
  rmSync(join(folder, OWNER_NAME))
  await syncTree(folder)
  const record: RestoredRecord = { ...backup, restored_at: now.toISOString(), owner: getOwner() }
  // The name appears only with its content, because an incomplete record must not complete the folder.
  await writeDurably(join(folder, `${RESTORED_NAME}.new`), JSON.stringify(record))
  renameSync(join(folder, `${RESTORED_NAME}.new`), join(folder, RESTORED_NAME))
  await syncToDisk(folder)
  const aside = isUnused(data) ? null : `${data}.before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  if (aside !== null) renameSync(data, aside)
  renameSync(folder, data)
  await syncToDisk(dirname(data))
  return aside
}

function readRecord<S extends v.GenericSchema>(path: string, schema: S): v.InferOutput<S> | null {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
