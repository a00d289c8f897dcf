import * as v from 'valibot'
import { APP_VERSION, DATA_FORMAT } from '../data-version.ts'
import { StopError } from '../stop.ts'

/**
 * Format of a backup file: a tar archive, followed by a checksum line (archive-file.ts). The entries are the manifest,
 * the sealed settings, and the files of the manifest in its order. A name that ends with `.gz` is a compressed file.
 */
export const BACKUP_FORMAT = 1

export const MANIFEST_NAME = 'porchlight-backup.json'
export const SETTINGS_NAME = 'settings.sealed'

const size = v.pipe(v.number(), v.integer(), v.minValue(0))
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
/** Path inside the data folder. Never leaves the folder. */
const filePath = v.pipe(
  v.string(),
  v.regex(/^(state|queue)\/[^\\]+$/),
  v.check((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')),
)
const archivedFile = v.object({ path: filePath, size, sha256 })
/** File of a backup: `size` and `sha256` describe the entry of the archive, compressed or not. */
export type ArchivedFile = v.InferOutput<typeof archivedFile>

const manifestSchema = v.object({
  format: v.literal(BACKUP_FORMAT),
  app: v.string(),
  /** Format of the data folder (`DATA_FORMAT`). */
  data: v.number(),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  recordings: v.boolean(),
  /** `BILLING_GATEWAY` of the last start; '' if there was none. Backups of earlier versions lack it. */
  gateway: v.optional(v.string()),
  settings: v.object({ size, sha256 }),
  files: v.array(archivedFile),
})
export type Manifest = v.InferOutput<typeof manifestSchema>

export type BackupHeader = Pick<Manifest, 'created_at' | 'recordings' | 'gateway' | 'files'>

/** Builds the manifest. `settings`: size and checksum of the sealed settings. */
export const createManifest = (header: BackupHeader, settings: Manifest['settings']): Manifest => ({
  format: BACKUP_FORMAT,
  app: APP_VERSION,
  data: DATA_FORMAT,
  ...header,
  settings,
})

/**
 * Returns the text that the seal of the settings authenticates. Without the passphrase, therefore, no one can change a
 * file of the backup unnoticed.
 */
export const describeFiles = ({ created_at, recordings, gateway, files }: BackupHeader): string =>
  JSON.stringify([
    created_at,
    recordings,
    files.map(({ path, size: bytes, sha256: checksum }) => [path, bytes, checksum]),
    ...(gateway === undefined ? [] : [gateway]),
  ])

/** Parses a manifest. Throws a `StopError` for a newer format, and for anything that is not a manifest. */
export function parseManifest(text: string, file: string): Manifest {
  const content = parseJson(text)
  const { format, data } = v.parse(v.fallback(v.object({ format: v.number(), data: v.number() }), NO_FORMAT), content)
  if (format > BACKUP_FORMAT || data > DATA_FORMAT)
    throw new StopError(
      `A newer version of Porchlight made the backup ${file}. This version (${APP_VERSION}) can't restore it. Nothing was changed. Update Porchlight and try again.`,
    )
  const manifest = v.safeParse(manifestSchema, content)
  if (!manifest.success)
    throw new StopError(`The backup ${file} is damaged at ${MANIFEST_NAME}. Nothing was changed. Use another backup.`)
  return manifest.output
}

const NO_FORMAT = { format: 0, data: 0 }

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
