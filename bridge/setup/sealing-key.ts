import { join } from 'node:path'
import { encodeBytes } from '../../contract/bridge/sealed-channel.ts'
import { readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const getSealingKeyPath = (data: string) => join(data, 'sealing.key')

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const

export interface SealingKey {
  readonly secret: CryptoKey
  /** Raw public key in base64url. */
  readonly publicKey: string
}

/**
 * Loads the key pair from `DATA/sealing.key` (JSON Web Key, mode 0600). Creates the file at the first start. Throws a
 * user-facing Error if the file is damaged or cannot be read.
 */
export async function loadSealingKey(data: string): Promise<SealingKey> {
  const path = getSealingKeyPath(data)
  return importKey(path, (await readKey(path)) ?? (await createKey(path)))
}

/** Validates the key pair, but does not create a missing one. Throws the errors of `loadSealingKey`. */
export async function checkSealingKey(data: string): Promise<void> {
  const text = await readKey(getSealingKeyPath(data))
  if (text !== undefined) await importKey(getSealingKeyPath(data), text)
}

function readKey(path: string): Promise<string | undefined> {
  return readSettingsFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} can't be read: ${error.message}`)
  })
}

async function importKey(path: string, text: string): Promise<SealingKey> {
  try {
    const jwk = JSON.parse(text) as JsonWebKey
    const secret = await crypto.subtle.importKey('jwk', jwk, CURVE, false, ['deriveBits'])
    const { kty, crv, x, y } = jwk
    const publicCryptoKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y } as JsonWebKey, CURVE, true, [])
    return { secret, publicKey: encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', publicCryptoKey))) }
  } catch {
    throw new Error(
      `${path} is damaged. Delete the file and restart the hub. The portal will then show a new code to compare.`,
    )
  }
}

async function createKey(path: string): Promise<string> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const text = JSON.stringify({ kty, crv, x, y, d })
  await writeFileDurably(path, `${text}\n`, 0o600)
  return text
}
