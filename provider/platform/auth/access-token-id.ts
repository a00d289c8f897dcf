import { createHmac, randomBytes } from 'node:crypto'
import type { Env } from '../../env.ts'
import { isEqualConstantTime } from '../crypto/constant-time-equal.ts'
import { cookieKeys } from '../crypto/rotating-keys.ts'

/** Lengths in base64url characters: 24 random bytes, and the first 16 bytes of an HMAC-SHA-256. */
const RANDOM_LENGTH = 32
const SIGNATURE_LENGTH = 22

/** Maximum length of a token from a version that did not sign tokens. */
const UNSIGNED_MAX_LENGTH = 43

/**
 * Creates the id of an access token: the account's id, random bytes and a signature of both, each as base64url
 * (docs/decisions/0107). The account's id lets the Worker find the account's object without reading D1.
 */
export function createAccessTokenId(env: Env, userId: string): string {
  const content = Buffer.from(userId).toString('base64url') + randomBytes(24).toString('base64url')
  return content + signContent(cookieKeys(env)[0] ?? '', content)
}

/** Returns true for a token of an earlier version, which only D1 can verify. Such tokens expire within an hour. */
export const isUnsignedToken = (token: string): boolean => token.length <= UNSIGNED_MAX_LENGTH

/** Returns the id of the account for which the provider signed this token; null if the token is forged. */
export function readTokenAccount(env: Env, token: string): string | null {
  const content = token.slice(0, -SIGNATURE_LENGTH)
  const signature = token.slice(-SIGNATURE_LENGTH)
  const isGenuine = cookieKeys(env).some((key) => isEqualConstantTime(signature, signContent(key, content)))
  return isGenuine ? Buffer.from(content.slice(0, -RANDOM_LENGTH), 'base64url').toString() : null
}

const signContent = (key: string, content: string) =>
  createHmac('sha256', key).update(`access token ${content}`).digest('base64url').slice(0, SIGNATURE_LENGTH)
