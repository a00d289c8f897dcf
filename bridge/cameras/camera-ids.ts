import { createHash, createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { exists, readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}\n?$/

const getSecretPath = (data: string) => join(data, 'cameras.secret')

/**
 * Formats host, port, path and query of an RTSP address, without credentials. Two addresses with the same result lead
 * to the same stream.
 */
export const formatRtspEndpoint = (url: URL) => `${url.hostname}:${url.port || '554'}${url.pathname}${url.search}`

/** Derives a camera's id from its address: stable across starts, and not computable without `secret`. */
export const deriveDeviceId = (secret: string, url: URL) =>
  `RC${createHmac('sha256', secret).update(formatRtspEndpoint(url)).digest('hex').slice(0, 20).toUpperCase()}`

/** Derives a camera's id as earlier bridge versions did. Their data folders still use these ids. */
export const deriveLegacyDeviceId = (url: URL) =>
  `RC${createHash('sha256').update(formatRtspEndpoint(url)).digest('hex').slice(0, 12).toUpperCase()}`

/** Returns a random id for a camera whose derived id is already taken, in this bridge or at the provider. */
export const createRandomDeviceId = () => `RC${randomBytes(10).toString('hex').toUpperCase()}`

/**
 * Reads the bridge's secret from `DATA/cameras.secret`; undefined if there is none. Throws a user-facing Error if the
 * file is damaged or cannot be read.
 */
export async function readSecret(data: string): Promise<string | undefined> {
  const content = await readSettingsFile(getSecretPath(data)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${getSecretPath(data)} can't be read: ${error.message}`)
  })
  if (content === undefined || SECRET_PATTERN.test(content)) return content?.trim()
  throw new Error(
    `${getSecretPath(data)} is damaged. Restore it from a backup or delete it. If you delete it, the portal may list some cameras as new.`,
  )
}

export async function createSecret(data: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await writeFileDurably(getSecretPath(data), `${secret}\n`, 0o600)
  return secret
}

/** Returns true if a bridge has run in this data folder. Every bridge version creates the folder `queue` at startup. */
export const isUsedDataFolder = (data: string) => exists(join(data, 'queue'))
