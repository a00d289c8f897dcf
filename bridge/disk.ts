import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from './log.ts'

const FULL = 'the disk is full. Make room; what is recorded already is kept and uploaded.'

/** Whether a write failed because there is no room for it. */
export function isFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Why a write failed, as the rest of a sentence. */
export function reasonOf(error: unknown): string {
  return isFull(error) ? FULL : messageOf(error)
}

/**
 * Why a folder takes no more: it holds `limit` bytes already, or the disk has less than `reserve` bytes left. Undefined while
 * there is room.
 */
export async function whyFull(folder: string, limit: number, reserve: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < reserve)
    return 'the disk is almost full. Make room; what is recorded already is kept and uploaded.'
  if ((await bytesIn(folder)) < limit) return undefined
  return `recordings may take ${Math.round(limit / 1e6)} MB here, and what is being recorded takes more. Give them more with --queue-mb.`
}

/** Removes files in their order until the folder holds less than `limit` bytes; answers those that went. */
export async function dropUntil(folder: string, limit: number, files: readonly string[]): Promise<string[]> {
  let bytes = await bytesIn(folder)
  const dropped: string[] = []
  for (const path of files) {
    if (bytes < limit) break
    const size = await sizeOf(path)
    if (size === undefined) continue
    await rm(path, { force: true })
    bytes -= size
    dropped.push(path)
  }
  return dropped
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

/** Undefined: not a file, or gone. */
function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (file) => (file.isFile() ? file.size : undefined),
    () => undefined,
  )
}
