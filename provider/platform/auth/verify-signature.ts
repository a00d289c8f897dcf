import { createHash, createHmac } from 'node:crypto'
import { isEqualConstantTime } from '../crypto/constant-time-equal.ts'

/**
 * Computes the signature of a call (OPEN-21): HMAC-SHA-256 of `content` in lower-case hex. The HMAC key is the SHA-256
 * digest of one UTF-8 string: the access token, then the endpoint secret.
 */
function computeSignature(content: Uint8Array | string, accessToken: string, secret: string): string {
  const key = createHash('sha256')
    .update(accessToken + secret)
    .digest()
  return createHmac('sha256', key).update(content).digest('hex')
}

/** Returns the content that the signature of a GET covers: the query, sorted by parameter name. */
export function toSignedQuery(query: URLSearchParams): string {
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
