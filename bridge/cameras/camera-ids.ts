import { createHash, createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { exists, readSettings, writeFileDurably } from '../runtime/durable-files.ts'

const SECRET = /^[A-Za-z0-9_-]{43}\n?$/

const secretPath = (data: string) => join(data, 'cameras.secret')

/** Where a camera is, whoever signs in to it: two addresses of the same place are the same camera. */
export const rtspEndpoint = (url: URL) => `${url.hostname}:${url.port || '554'}${url.pathname}${url.search}`

/** The id of a camera at this address: the same at every start, and for nobody to work out who has no `secret`. */
export const rtspDeviceId = (secret: string, url: URL) =>
  `RC${createHmac('sha256', secret).update(rtspEndpoint(url)).digest('hex').slice(0, 20).toUpperCase()}`

/** The id that bridges before this version gave: of a folder that such a one has used. */
export const formerDeviceId = (url: URL) =>
  `RC${createHash('sha256').update(rtspEndpoint(url)).digest('hex').slice(0, 12).toUpperCase()}`

/** An id that nothing else has, for a camera whose own is refused. */
export const freshDeviceId = () => `RC${randomBytes(10).toString('hex').toUpperCase()}`

/**
 * The secret of the bridge in `DATA/cameras.secret`; undefined while there is none. Throws an Error whose message is a
 * sentence for the terminal.
 */
export async function readSecret(data: string): Promise<string | undefined> {
  const content = await readSettings(secretPath(data)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${secretPath(data)} cannot be read: ${error.message}`)
  })
  if (content === undefined || SECRET.test(content)) return content?.trim()
  throw new Error(
    `${secretPath(data)} is damaged. Put it back from a backup, or delete it: the cameras then begin anew in the portal.`,
  )
}

/** Makes the secret; only its owner may read it. */
export async function makeSecret(data: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await writeFileDurably(secretPath(data), `${secret}\n`, 0o600)
  return secret
}

/** Whether a bridge has run in this folder, of whatever version: each makes its queue when it starts. */
export const wasUsed = (data: string) => exists(join(data, 'queue'))
