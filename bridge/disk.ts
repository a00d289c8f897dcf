import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** What is left to the rest of the system, in bytes. */
const RESERVE = 200_000_000

/**
 * Why a folder takes no more: it holds `limit` bytes already, or the disk is almost full. Undefined while there is room.
 */
export async function whyFull(folder: string, limit: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < RESERVE)
    return 'the disk is almost full. Make room; what is recorded already is kept and uploaded.'
  if ((await bytesIn(folder)) < limit) return undefined
  return `${Math.round(limit / 1e6)} MB of recordings wait for the provider already. They are kept; new clips follow when they are uploaded.`
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (file) => (file.isFile() ? file.size : 0),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
