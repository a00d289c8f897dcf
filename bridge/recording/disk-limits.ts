import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getErrorMessage } from '../runtime/log.ts'

const KEPT = 'Make room on its computer; what was recorded is kept.'
/** Why a disk takes no more, as the rest of a sentence. */
export const FULL = `the disk of the box is full. ${KEPT}`
export const ALMOST_FULL = `the disk of the box is almost full. ${KEPT}`

/** Whether a write failed because there is no room for it. */
export function isFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Why a write failed, as the rest of a sentence. */
export function describeWriteError(error: unknown): string {
  return isFull(error) ? FULL : getErrorMessage(error)
}

/** Why a folder takes no more when it holds `limit` bytes already, as the rest of a sentence; undefined while it does not. */
export async function whyOver(folder: string, limit: number): Promise<string | undefined> {
  if ((await bytesIn(folder)) < limit) return undefined
  return `recordings may take ${Math.round(limit / 1e6)} MB here, and what is being recorded takes more. Give them more with --queue-mb.`
}

/** Removes files in their order until the folder holds less than `limit` bytes; answers those that went. */
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

/** Undefined: not a file, or gone. */
function readFileSize(path: string): Promise<number | undefined> {
  return stat(path).then(
    (file) => (file.isFile() ? file.size : undefined),
    () => undefined,
  )
}
