import { access, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { READ_BYTES_MAX } from '../limits.ts'

const PARTS_PER_WRITE = 100

/** Writes a file atomically: after a power cut, the file has either the old or the new content. */
export async function writeFileDurably(
  path: string,
  content: string | Buffer | readonly Buffer[],
  mode = 0o644,
): Promise<void> {
  const temporaryPath = `${path}.${process.pid}.tmp`
  const file = await open(temporaryPath, 'w', mode)
  try {
    if (typeof content === 'string' || Buffer.isBuffer(content)) await file.writeFile(content)
    else await writeParts(file, content)
    await file.sync()
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  } finally {
    await file.close()
  }
  await rename(temporaryPath, path)
  await syncFolder(dirname(path))
}

/** Writes in batches, to avoid a copy of all parts. */
async function writeParts(file: FileHandle, parts: readonly Buffer[]): Promise<void> {
  for (let i = 0; i < parts.length; i += PARTS_PER_WRITE) {
    await file.writeFile(Buffer.concat(parts.slice(i, i + PARTS_PER_WRITE)))
  }
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path))
}

/** Syncs a folder. A new or renamed file is durable only after a sync of its folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Reads a file of at most `maxBytes` bytes. Throws file system errors such as ENOENT, and an Error with a user-facing
 * sentence if the file is longer.
 */
export async function readFileBytes(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > maxBytes) throw new Error(`${path} is ${size} bytes long. The limit is ${maxBytes} bytes.`)
    const content = Buffer.allocUnsafe(size)
    let length = 0
    for (let read = -1; read !== 0 && length < size; length += read)
      read = (await file.read(content, length, size - length, length)).bytesRead
    return content.subarray(0, length)
  } finally {
    await file.close()
  }
}

/** Reads a settings or key file as text; throws like `readFileBytes`. */
export const readSettingsFile = async (path: string): Promise<string> =>
  (await readFileBytes(path, READ_BYTES_MAX.settings)).toString('utf8')

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
