import { createHash, createHmac } from 'node:crypto'
import { SIGNED_ENDPOINTS, type SignedEndpoint } from '../../../contract/wire/endpoint-groups.ts'

/**
 * The signature of a call (SIGN-02, OPEN-21): lower-case hex HMAC-SHA-256 of `content`, keyed with the 32 bytes
 * SHA-256(UTF-8(token + secret)). `content` is the exact body bytes, or for a call without body the query string with its
 * parameters sorted by name. For an endpoint without a secret of its own it logs `Invalid token` and answers ''.
 * Synchronous, because three waits for Web Crypto cost more than the hashes of a small call.
 */
export function sign(
  endpoint: string,
  content: Uint8Array<ArrayBuffer> | string,
  token: string,
  secret: string,
): string {
  if (!isSigned(endpoint)) {
    console.log('Invalid token')
    return ''
  }
  const key = createHash('sha256')
    .update(token + secret)
    .digest()
  return createHmac('sha256', key).update(content).digest('hex')
}

function isSigned(endpoint: string): endpoint is SignedEndpoint {
  return (SIGNED_ENDPOINTS as readonly string[]).includes(endpoint)
}
