import { createHmac } from 'node:crypto'
import type { Env } from '../../env.ts'
import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'

/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/**
 * Returns the setup code. It appears only on the operator's terminal, so a person who knows it is the operator. 60 bits
 * of an HMAC with `ADMIN_KEY`. The code works once: it is invalid once an account exists, and the last account cannot
 * be removed.
 */
export function setupCode(env: Env): string {
  const bytes = createHmac('sha256', env.ADMIN_KEY).update('porchlight first account').digest().subarray(0, LENGTH)
  const letters = [...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

/** Compares a typed setup code; dashes, spaces and case do not matter. */
export function isSetupCode(env: Env, typed: string): boolean {
  const letters = (text: string) => text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return isEqualConstantTime(letters(typed), letters(setupCode(env)))
}
