import { createHash, createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { exists, readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const SECRET = /^[A-Za-z0-9_-]{43}\n?$/

const secretPath = (data: string) => join(data, 'cameras.secret')

/** Identifies an RTSP endpoint without its credentials: equal values mean the same camera. */
export const rtspEndpoint = (url: URL) => `${url.hostname}:${url.port || '554'}${url.pathname}${url.search}`

/** Derives a camera's id from its address: stable across starts, and not computable without `secret`. */
export const rtspDeviceId = (secret: string, url: URL) =>
  `RC${createHmac('sha256', secret).update(rtspEndpoint(url)).digest('hex').slice(0, 20).toUpperCase()}`

/** Derives the id that earlier bridge versions gave; needed for data folders that they used. */
export const formerDeviceId = (url: URL) =>
  `RC${createHash('sha256').update(rtspEndpoint(url)).digest('hex').slice(0, 12).toUpperCase()}`

/** Returns a random unique id, for a camera whose own id is rejected. */
export const freshDeviceId = () => `RC${randomBytes(10).toString('hex').toUpperCase()}`

/**
 * Reads the bridge's secret from `DATA/cameras.secret`; undefined if there is none. Throws an Error whose message is a
 * sentence for the terminal.
 */
export async function readSecret(data: string): Promise<string | undefined> {
  const content = await readSettingsFile(secretPath(data)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${secretPath(data)} cannot be read: ${error.message}`)
  })
  if (content === undefined || SECRET.test(content)) return content?.trim()
  throw new Error(
    `${secretPath(data)} is damaged. Restore it from a backup, or delete it: the portal then lists the cameras as new ones.`,
  )
}

export async function makeSecret(data: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await writeFileDurably(secretPath(data), `${secret}\n`, 0o600)
  return secret
}

/** Returns true if a bridge of any version has run in this folder: each creates its queue at startup. */
export const wasUsed = (data: string) => exists(join(data, 'queue'))
