import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getErrorMessage } from '../runtime/log.ts'

const DISK_ADVICE = "Free up space on the hub's computer. Existing recordings are kept."
/** Reasons why the disk accepts no more data. Each reason is the end of a sentence, after a colon. */
export const DISK_FULL_REASON = `the hub's disk is full. ${DISK_ADVICE}`
export const DISK_ALMOST_FULL_REASON = `the hub's disk is almost full. ${DISK_ADVICE}`

export function isDiskFullError(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Returns the reason of a failed write, as the end of a sentence. */
export function describeWriteError(error: unknown): string {
  return isDiskFullError(error) ? DISK_FULL_REASON : getErrorMessage(error)
}

/** Returns a reason, as the end of a sentence, if a folder holds `limit` bytes or more; undefined below the limit. */
export async function getOverLimitReason(folder: string, limit: number): Promise<string | undefined> {
  if ((await measureFolderBytes(folder)) < limit) return undefined
  return `the current recording doesn't fit in the ${Math.round(limit / 1e6)} MB that recordings can use on the hub. Raise the limit with --queue-mb.`
}

/** Removes `files` in order until the folder holds less than `limit` bytes. Returns the removed files. */
export async function removeFilesUntilBelow(
  folder: string,
  limit: number,
  files: readonly string[],
): Promise<string[]> {
  let bytes = await measureFolderBytes(folder)
  const removedFiles: string[] = []
  for (const path of files) {
    if (bytes < limit) break
    const size = await readFileSize(path)
    if (size === undefined) continue
    await rm(path, { force: true })
    bytes -= size
    removedFiles.push(path)
  }
  return removedFiles
}

async function measureFolderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map((name) => readFileSize(join(folder, name))))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

function readFileSize(path: string): Promise<number | undefined> {
  return stat(path).then(
    (file) => (file.isFile() ? file.size : undefined),
    () => undefined,
  )
}
