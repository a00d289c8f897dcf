import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ParsedTarEntry } from 'modern-tar'
import { writeDataVersion } from '../data-version.ts'
import { endLeftoverProcesses, findFolderUse } from '../run-file.ts'
import { readEnvironment, writePrivateFile } from '../secrets-file.ts'
import { StopError } from '../stop.ts'
import { createDamageError, isIntactArchive, openArchive, type ArchiveReader } from './archive-file.ts'
import { writeDurably } from './durable.ts'
import {
  describeFiles,
  MANIFEST_NAME,
  parseManifest,
  SETTINGS_NAME,
  type ArchivedFile,
  type Manifest,
} from './manifest.ts'
import { explainMissingSpace, formatFullDisk, measureBackup } from './restore-space.ts'
import { findBrokenDatabases, renewSecrets, secureRestoredData } from './restored-data.ts'
import { openSettings, type SettingsFiles } from './sealed-settings.ts'
import {
  completeRestore,
  createBuildFolder,
  getBuildFolder,
  isUnused,
  settleInterruptedRestore,
} from './swap-folders.ts'

export interface RestoreRequest {
  readonly file: string
  /** Absolute path. */
  readonly data: string
  readonly replace: boolean
  readonly readPassphrase: () => Promise<string>
  readonly root: string
  readonly printLine: (line: string) => void
}

export interface RestoreResult {
  readonly manifest: Manifest
  /** Path of the previous data folder; null if there was none. */
  readonly aside: string | null
}

/**
 * Restores a backup into a data folder. Until the backup is completely checked, the data folder stays as it is. Throws
 * a `StopError` if that fails.
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreResult> {
  const { data, file, root, printLine } = request
  checkRestoreRequest(request)
  const settled = settleInterruptedRestore(data)
  if (settled !== null) printLine(settled)
  if (!request.replace && !isUnused(data))
    throw new StopError(
      `${data} isn't empty. Nothing was changed. To move it aside and restore the backup in its place, add --replace.`,
    )
  const folder = await createBuildFolder(data)
  try {
    const manifest = await extract(request, folder)
    const broken = findBrokenDatabases(folder)
    if (broken[0] !== undefined) throw createDamageError(file, broken[0])
    const gateway = secureRestoredData(folder, manifest.gateway ?? '')
    writePrivateFile(join(folder, 'secrets.env'), renewSecrets(readEnvironment(join(folder, 'secrets.env'))))
    writeDataVersion(folder)
    // Porchlight may have started meanwhile.
    checkRestoreRequest(request)
    await endLeftoverProcesses(data, root)
    return { manifest, aside: await completeRestore(data, { backup_at: manifest.created_at, gateway }, new Date()) }
  } catch (error) {
    rmSync(getBuildFolder(data), { recursive: true, force: true })
    throw await explainFailure(error, data)
  }
}

function checkRestoreRequest({ data, file }: RestoreRequest): void {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new StopError(`There is no backup ${file}. Nothing was changed. Check the name.`)
  if (existsSync(data) && !statSync(data).isDirectory())
    throw new StopError(`${data} isn't a folder. Nothing was changed. Choose a folder with --data.`)
  const use = findFolderUse(data)
  if (use)
    throw new StopError(
      `Porchlight is running with the data folder ${data} at ${use.url}. Nothing was changed. Stop Porchlight first.`,
    )
}

async function extract(request: RestoreRequest, folder: string): Promise<Manifest> {
  const { file } = request
  const archive = await openArchive(file)
  const manifest = parseManifest((await readAll(await archive.next(MANIFEST_NAME))).toString('utf8'), file)
  await requireSpace(folder, request.data, manifest)
  for (const [name, content] of await readSettings(archive, manifest, request)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    await writeDurably(join(folder, name), content)
  }
  for (const archived of manifest.files) {
    const entry = await archive.next(archived.path)
    await extractFile(entry, archived, folder).catch((error: unknown) => {
      throw isDiskError(error) ? error : createDamageError(file, archived.path)
    })
  }
  await archive.finish()
  return manifest
}

async function readSettings(
  archive: ArchiveReader,
  manifest: Manifest,
  { file, readPassphrase }: RestoreRequest,
): Promise<SettingsFiles> {
  const sealed = await readAll(await archive.next(SETTINGS_NAME))
  if (createHash('sha256').update(sealed).digest('hex') !== manifest.settings.sha256)
    throw createDamageError(file, SETTINGS_NAME)
  const settings = await openSettings(sealed, await readPassphrase(), describeFiles(manifest))
  // The seal also covers the manifest, so a damaged manifest looks like a wrong passphrase.
  if (settings === null && !(await isIntactArchive(file))) throw createDamageError(file, MANIFEST_NAME)
  if (settings === null)
    throw new StopError(
      `The passphrase is wrong, or someone has changed the backup ${file}. Nothing was changed. Try again.`,
    )
  return settings
}

/** Writes one file, decompressed if its name ends with `.gz`. Rejects if size or checksum differ. */
async function extractFile({ header, body }: ParsedTarEntry, archived: ArchivedFile, folder: string): Promise<void> {
  const isCompressed = archived.path.endsWith('.gz')
  const target = join(folder, isCompressed ? archived.path.slice(0, -'.gz'.length) : archived.path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const output = createWriteStream(target, { mode: 0o600, flags: 'wx' })
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  await (isCompressed ? pipeline(source, check, createGunzip(), output) : pipeline(source, check, output))
  if (header.size !== archived.size || hash.digest('hex') !== archived.sha256) throw new Error('The checksum differs.')
}

async function readAll({ body }: ParsedTarEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function requireSpace(folder: string, data: string, manifest: Manifest): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const space = { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  const reason = explainMissingSpace(space, measureBackup(manifest), data, process.env)
  if (reason !== null) throw new StopError(reason)
}

const isDiskError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EIO'].includes(String((error as NodeJS.ErrnoException).code))

async function explainFailure(error: unknown, data: string): Promise<unknown> {
  if (error instanceof StopError || !isDiskError(error)) return error
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StopError(formatFullDisk(data))
  return new StopError(
    `${path ?? data} can't be written (${code}). Nothing was changed. Check the permissions, or choose another folder with --data.`,
  )
}
