import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file so that it is either there as a whole or not at all, also after a power cut. */
export async function writeFileDurably(path: string, content: string | Buffer, mode = 0o644): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  const file = await open(temporary, 'w', mode)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path))
}

/** A name in a folder lasts when the folder was synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
