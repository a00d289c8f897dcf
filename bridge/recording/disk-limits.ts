import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getErrorMessage } from '../runtime/log.ts'

const KEPT = 'Make room on its computer; what was recorded is kept.'
/** Reasons why the disk accepts no more data, as the rest of a sentence. */
export const DISK_FULL = `the disk of the box is full. ${KEPT}`
export const ALMOST_FULL = `the disk of the box is almost full. ${KEPT}`

export function isFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Returns why a write failed, as the rest of a sentence. */
export function describeWriteError(error: unknown): string {
  return isFull(error) ? DISK_FULL : getErrorMessage(error)
}

/**
 * Returns why a folder with `limit` bytes or more accepts no more data, as the rest of a sentence; undefined below the
 * limit.
 */
export async function whyOver(folder: string, limit: number): Promise<string | undefined> {
  if ((await bytesIn(folder)) < limit) return undefined
  return `recordings may take ${Math.round(limit / 1e6)} MB here, and what is being recorded takes more. Give them more with --queue-mb.`
}

/** Removes files in order until the folder holds less than `limit` bytes. Returns the removed files. */
export async function dropUntil(folder: string, limit: number, files: readonly string[]): Promise<string[]> {
  let bytes = await bytesIn(folder)
  const dropped: string[] = []
  for (const path of files) {
    if (bytes < limit) break
    const size = await readFileSize(path)
    if (size === undefined) continue
    await rm(path, { force: true })
    bytes -= size
    dropped.push(path)
  }
  return dropped
}

async function bytesIn(folder: string): Promise<number> {
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
