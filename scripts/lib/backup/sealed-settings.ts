import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import * as v from 'valibot'

/**
 * Settings and secrets of a data folder: path → content in base64. All files outside `state` and `queue` belong to
 * them, so that a new secret is never stored unencrypted.
 */
const isInsideFolder = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
const settingsSchema = v.record(v.pipe(v.string(), v.check(isInsideFolder)), v.string())
export type SettingsFiles = ReadonlyMap<string, Buffer>

/** Cost of scrypt: 64 MB of memory, about 0.3 s. A stolen backup allows unlimited guesses. */
const SCRYPT = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const
const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export const PASSPHRASE_MIN_LENGTH = 10

const deriveKey = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)

/**
 * Encrypts the settings with AES-256-GCM. `context`: text that the seal also authenticates. The result consists of
 * salt, IV, tag and ciphertext.
 */
export async function sealSettings(files: SettingsFiles, passphrase: string, context: string): Promise<Buffer> {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(normalize(passphrase), salt, KEY_BYTES, SCRYPT), iv)
  cipher.setAAD(Buffer.from(context))
  const content = JSON.stringify(Object.fromEntries([...files].map(([name, body]) => [name, body.toString('base64')])))
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed])
}

/** Returns null if the passphrase is wrong or `context` is not the text that was sealed. */
export async function openSettings(sealed: Buffer, passphrase: string, context: string): Promise<SettingsFiles | null> {
  const ivStart = SALT_BYTES
  const tagStart = ivStart + IV_BYTES
  const bodyStart = tagStart + TAG_BYTES
  const key = await deriveKey(normalize(passphrase), sealed.subarray(0, ivStart), KEY_BYTES, SCRYPT)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(ivStart, tagStart))
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(sealed.subarray(tagStart, bodyStart))
    const content = Buffer.concat([decipher.update(sealed.subarray(bodyStart)), decipher.final()]).toString('utf8')
    const files = v.parse(settingsSchema, JSON.parse(content))
    return new Map(Object.entries(files).map(([name, body]) => [name, Buffer.from(body, 'base64')]))
  } catch {
    return null
  }
}

/** Keyboards differ in how they compose characters such as "é". */
const normalize = (passphrase: string) => passphrase.normalize('NFKC')
