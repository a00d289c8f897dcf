import { createHmac } from 'node:crypto'
import type { Env } from '../../env.ts'
import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'

/** Crockford base 32: digits and letters, without I, L, O and U. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 12

/**
 * Returns the setup code: 60 bits of an HMAC with `ADMIN_KEY`, shown only in the operator's terminal.
 * `createFirstAccount` accepts the code only while no account exists.
 */
export function getSetupCode(env: Env): string {
  const bytes = createHmac('sha256', env.ADMIN_KEY).update('porchlight first account').digest().subarray(0, CODE_LENGTH)
  const letters = [...bytes].map((byte) => CODE_ALPHABET.charAt(byte % CODE_ALPHABET.length)).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

/** Compares a typed setup code; dashes, spaces and case do not matter. */
export function isSetupCode(env: Env, typed: string): boolean {
  const normalize = (text: string) => text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return isEqualConstantTime(normalize(typed), normalize(getSetupCode(env)))
}
