import { createReadStream, createWriteStream, existsSync, realpathSync, rmSync, statSync } from 'node:fs'
import { access, constants, rename, rm, statfs } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { requireSupportedData } from '../data-version.ts'
import { readEnvironment } from '../secrets-file.ts'
import { StopError } from '../stop.ts'
import { measureFile, writeArchive } from './archive-file.ts'
import { syncToDisk } from './durable.ts'
import { createManifest, describeFiles, type ArchivedFile, type BackupHeader } from './manifest.ts'
import { sealSettings } from './sealed-settings.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'
import { getStagingFolder } from './staging-folder.ts'

export interface BackupRequest {
  readonly data: string
  readonly file: string
  readonly recordings: boolean
  readonly passphrase: string
}

export interface BackupResult {
  readonly bytes: number
  readonly files: number
}

/** Checks folder and file before the user types a passphrase. Throws a `StopError` if a backup is impossible. */
export async function checkBackupRequest({ data, file }: Pick<BackupRequest, 'data' | 'file'>): Promise<void> {
  if (!existsSync(join(data, 'state', 'provider', 'v3')))
    throw new StopError(`${data} isn't a data folder of Porchlight. Choose the folder with --data.`)
  requireSupportedData(data)
  if (existsSync(file)) throw new StopError(`${file} already exists. No backup was made. Choose another name.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new StopError(`The folder ${folder} doesn't exist. No backup was made. Create it, or choose another one.`)
  if (!relative(realpathSync(data), realpathSync(folder)).startsWith('..'))
    throw new StopError(
      `The backup can't be inside the data folder ${data}. No backup was made. Choose another folder.`,
    )
  await access(folder, constants.W_OK).catch(() => {
    throw new StopError(`The folder ${folder} isn't writable. No backup was made. Choose another one.`)
  })
}

/**
 * Backs up a data folder to one file. The file appears only when it is complete: until then, it is called
 * `FILE.partial`. Throws a `StopError` if that fails.
 */
export async function createBackup(request: BackupRequest): Promise<BackupResult> {
  const { data, file, recordings } = request
  await checkBackupRequest(request)
  const partial = `${file}.partial`
  try {
    const created_at = new Date().toISOString()
    const snapshot = await createSnapshot(data, recordings)
    const files = await packFiles(snapshot)
    await writeBackup(request, snapshot, { created_at, recordings, gateway: readGateway(data), files })
    return { bytes: statSync(file).size, files: files.length }
  } catch (error) {
    throw await explainFailure(error, request)
  } finally {
    await rm(partial, { force: true })
    await rm(getStagingFolder(data), { recursive: true, force: true })
  }
}

/**
 * Deletes the files of an unfinished backup of this process, when a signal stops it. Returns false if the backup is
 * already complete.
 */
export function discardBackup({ data, file }: BackupRequest): boolean {
  if (existsSync(file)) return false
  rmSync(`${file}.partial`, { force: true })
  // A copy that still runs can add a file.
  rmSync(getStagingFolder(data), { recursive: true, force: true, maxRetries: 3 })
  return true
}

/** Returns `BILLING_GATEWAY` of the last start; '' if there was none. */
function readGateway(data: string): string {
  const path = join(data, 'run.env')
  return (existsSync(path) ? readEnvironment(path)['BILLING_GATEWAY'] : undefined) ?? ''
}

/** Compresses the databases in the snapshot and measures all files. Other files are compressed already. */
async function packFiles({ folder, files }: Snapshot): Promise<ArchivedFile[]> {
  const packed: ArchivedFile[] = []
  for (const name of files) {
    const path = name.endsWith('.sqlite') ? `${name}.gz` : name
    if (path !== name) {
      await pipeline(createReadStream(join(folder, name)), createGzip(), createWriteStream(join(folder, path)))
      await rm(join(folder, name))
    }
    packed.push({ path, ...(await measureFile(join(folder, path))) })
  }
  return packed
}

async function writeBackup(
  { file, passphrase }: BackupRequest,
  { folder, settings }: Snapshot,
  header: BackupHeader,
): Promise<void> {
  const partial = `${file}.partial`
  const sealed = await sealSettings(settings, passphrase, describeFiles(header))
  const manifest = createManifest(header, {
    size: sealed.length,
    sha256: createHash('sha256').update(sealed).digest('hex'),
  })
  await rm(partial, { force: true })
  await writeArchive(partial, manifest, sealed, folder)
  if (existsSync(file)) throw new StopError(`${file} already exists. No backup was made. Choose another name.`)
  await rename(partial, file)
  await syncToDisk(dirname(resolve(file)))
}

async function explainFailure(error: unknown, { data, file }: BackupRequest): Promise<unknown> {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const freeMb = await statfs(dirname(resolve(file))).then(({ bavail, bsize }) => Math.floor((bavail * bsize) / 1e6))
    return new StopError(
      `The disk is full (${freeMb} MB are free in the folder of ${file}). No backup was made. Make room for the backup there, and for a copy of the databases in ${data}.`,
    )
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new StopError(`${path ?? data} isn't accessible (${code}). No backup was made. Check its permissions.`)
  return error
}
