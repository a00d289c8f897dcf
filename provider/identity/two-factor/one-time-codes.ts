import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { BRAND_NAME } from '../../../contract/brand.ts'

const STEP_MS = 30_000
/** Number of accepted time steps before and after the current one, for clock drift and slow typing. */
const STEP_TOLERANCE = 1
const RECOVERY_CODES = { count: 10, bytes: 10 } as const

/** Creates a 160-bit TOTP key, base32. */
export function createTotpKey(): string {
  return new Secret({ size: 20 }).base32
}

const createTotp = (key: string, email: string) =>
  new TOTP({ issuer: BRAND_NAME, label: email, secret: Secret.fromBase32(key), period: STEP_MS / 1000, digits: 6 })

/** Returns the otpauth URL for the QR code that an authenticator app scans. */
export function otpauthUrl(key: string, email: string): string {
  return createTotp(key, email).toString()
}

/**
 * Returns the TOTP counter (number of 30 s steps) for which `code` is valid near `now` (ms UTC). Returns null for a
 * wrong code.
 */
export function findTimeStep(key: string, code: string, now: number): number | null {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const delta = createTotp(key, '').validate({ token: digits, timestamp: now, window: STEP_TOLERANCE })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}

/** Creates ten recovery codes of 80 random bits, base32 in groups of four. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES.count }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_CODES.bytes)).buffer }).base32.replace(
      /(.{4})(?=.)/g,
      '$1-',
    ),
  )
}

/**
 * Normalizes a typed recovery code and returns its hash for storage and lookup. A fast hash is enough, because the
 * codes are random.
 */
export function hashRecoveryCode(userId: string, typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(`${userId} ${letters}`).digest('hex')
}
