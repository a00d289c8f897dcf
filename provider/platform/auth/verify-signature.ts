import { createHash, createHmac } from 'node:crypto'
import { isEqualConstantTime } from '../crypto/constant-time-equal.ts'

/**
 * The signature of a call (OPEN-21): lower-case hex HMAC-SHA-256 over `content`, keyed with the SHA-256 of access token and
 * endpoint secret, one after the other, in UTF-8.
 */
function computeSignature(content: Uint8Array | string, accessToken: string, secret: string): string {
  const key = createHash('sha256')
    .update(accessToken + secret)
    .digest()
  return createHmac('sha256', key).update(content).digest('hex')
}

/** What a GET signs: its query with the parameters sorted by name. */
export function signedQuery(query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return sorted.toString()
}

export function hasValidSignature(
  signature: string | undefined,
  content: Uint8Array | string,
  accessToken: string,
  secret: string,
): boolean {
  return signature !== undefined && isEqualConstantTime(signature, computeSignature(content, accessToken, secret))
}
