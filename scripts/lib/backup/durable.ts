import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a file and waits until it is on disk. Fails if the file exists. */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await withFile(path, 'wx', mode, async (file) => {
    await file.writeFile(content)
    await file.sync()
  })
}

/** Waits until a file, or the names in a folder, are on disk. */
export async function syncToDisk(path: string): Promise<void> {
  await withFile(path, 'r', undefined, (file) => file.sync())
}

/** Waits until all files and folders of a folder are on disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? syncTree(path) : syncToDisk(path))
  }
  await syncToDisk(folder)
}

async function withFile(
  path: string,
  flags: string,
  mode: number | undefined,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, mode)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
