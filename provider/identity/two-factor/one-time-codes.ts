import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { BRAND_NAME } from '../../../contract/brand.ts'

const STEP_MS = 30_000
/** Time steps before and after the current one that are accepted, for clock drift and typing. */
const WINDOW = 1
const RECOVERY = { count: 10, bytes: 10 } as const

/** Creates a 160-bit key, base32. */
export function newKey(): string {
  return new Secret({ size: 20 }).base32
}

const totp = (key: string, email: string) =>
  new TOTP({ issuer: BRAND_NAME, label: email, secret: Secret.fromBase32(key), period: STEP_MS / 1000, digits: 6 })

/** Returns the otpauth URL that an authenticator app reads from the QR code. */
export function keyAddress(key: string, email: string): string {
  return totp(key, email).toString()
}

/** Returns the TOTP counter (30 s steps) of `code` near `now` (ms UTC); null if the code is wrong. */
export function findTimeStep(key: string, code: string, now: number): number | null {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const delta = totp(key, '').validate({ token: digits, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}

/** Creates ten codes of 80 random bits, base32 in groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY.count }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY.bytes)).buffer }).base32.replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/**
 * Normalizes a typed recovery code and returns its hash for storage and lookup. A fast hash is sufficient, because the
 * codes are random.
 */
export function recoveryHash(userId: string, typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(`${userId} ${letters}`).digest('hex')
}
