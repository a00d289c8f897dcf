import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { packTar, type TarSource } from 'modern-tar/fs'
import { StopError } from '../stop.ts'
import { MANIFEST_NAME, SETTINGS_NAME, type Manifest } from './manifest.ts'
import { syncToDisk } from './durable.ts'

/** Last line of a backup: the SHA-256 of all bytes before the line. Tar ignores bytes after the end of its archive. */
const formatChecksumLine = (sha256: string) => `porchlight-sha256 ${sha256}\n`
const CHECKSUM_LINE_BYTES = formatChecksumLine('0'.repeat(64)).length

const createHashingStream = (hash: Hash): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

/** Returns size and SHA-256 of a file. */
export async function measureFile(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return { size: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** Writes a backup to `path` as a stream, and waits until it is on disk. `folder`: contains the manifest's files. */
export async function writeArchive(path: string, manifest: Manifest, settings: Buffer, folder: string): Promise<void> {
  const entry = { mode: 0o600, mtime: new Date(manifest.created_at) }
  const sources: TarSource[] = [
    { ...entry, type: 'content', target: MANIFEST_NAME, content: `${JSON.stringify(manifest, null, 1)}\n` },
    { ...entry, type: 'content', target: SETTINGS_NAME, content: settings },
    ...manifest.files.map(({ path: target }) => ({
      ...entry,
      type: 'file' as const,
      target,
      source: join(folder, target),
    })),
  ]
  const hash = createHash('sha256')
  await pipeline(packTar(sources), createHashingStream(hash), createWriteStream(path, { mode: 0o600 }))
  await pipeline([formatChecksumLine(hash.digest('hex'))], createWriteStream(path, { flags: 'a' }))
  await syncToDisk(path)
}

export interface ArchiveReader {
  /** Returns the next entry. Throws a `StopError` if the archive has none. The caller must read its whole body. */
  next(expectedName: string): Promise<ParsedTarEntry>
  /** Reads the rest. Throws a `StopError` if there are more entries, or if any byte of the file differs. */
  finish(): Promise<void>
}

/** Returns the `StopError` for a damaged backup. `where`: name of the damaged entry; null if the damage is elsewhere. */
export const createDamageError = (file: string, where: string | null): StopError =>
  new StopError(
    `The backup ${file} is damaged${where === null ? '' : ` at ${where}`}. Nothing was changed. Use another backup.`,
  )

/** Returns true if the checksum of the whole file is right. */
export async function isIntactArchive(file: string): Promise<boolean> {
  const end = (await stat(file)).size - CHECKSUM_LINE_BYTES
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { end: Math.max(0, end - 1) })) hash.update(chunk as Buffer)
  return formatChecksumLine(hash.digest('hex')) === (await readEnd(file, Math.max(0, end)))
}

/** Opens a backup for reading. Throws a `StopError` if the file isn't a complete backup. */
export async function openArchive(file: string): Promise<ArchiveReader> {
  const { size } = await stat(file)
  const end = size - CHECKSUM_LINE_BYTES
  const expectedLine = await readEnd(file, Math.max(0, end))
  if (!/^porchlight-sha256 [0-9a-f]{64}\n$/.test(expectedLine))
    throw new StopError(`${file} isn't a complete Porchlight backup. Nothing was changed. Choose another file.`)
  const hash = createHash('sha256')
  const stream = createReadStream(file, { end: Math.max(0, end - 1) }).pipe(createHashingStream(hash))
  const entries = (Readable.toWeb(stream) as ReadableStream<Uint8Array>)
    .pipeThrough(createTarDecoder({ strict: true }))
    [Symbol.asyncIterator]()
  const readNext = async (where: string | null) => {
    try {
      return await entries.next()
    } catch {
      throw createDamageError(file, where)
    }
  }
  return {
    async next(expectedName) {
      const { value, done } = await readNext(expectedName)
      if (done || value.header.name !== expectedName || value.header.type !== 'file')
        throw createDamageError(file, expectedName)
      return value
    },
    async finish() {
      const { done } = await readNext(null)
      if (!done || formatChecksumLine(hash.digest('hex')) !== expectedLine) throw createDamageError(file, null)
    },
  }
}

async function readEnd(path: string, from: number): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHECKSUM_LINE_BYTES), 0, CHECKSUM_LINE_BYTES, from)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
