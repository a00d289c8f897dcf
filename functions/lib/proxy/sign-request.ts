import { createHash, createHmac } from 'node:crypto'
import { SIGNED_ENDPOINTS, type SignedEndpoint } from '../../../contract/wire/endpoint-groups.ts'

/**
 * Returns the signature of a call (SIGN-02, OPEN-21): lowercase hex HMAC-SHA-256 of `content`, keyed with
 * SHA-256(UTF-8(token + secret)). `content`: exact body bytes, or query string sorted by parameter name. For an
 * endpoint outside `SIGNED_ENDPOINTS`, logs `Invalid token` and returns ''. The function is synchronous, because three
 * Web Crypto awaits take longer than the hashes of small inputs.
 */
export function signProviderRequest(
  endpoint: string,
  content: Uint8Array<ArrayBuffer> | string,
  token: string,
  secret: string,
): string {
  if (!isSignedEndpoint(endpoint)) {
    console.log('Invalid token')
    return ''
  }
  const key = createHash('sha256')
    .update(token + secret)
    .digest()
  return createHmac('sha256', key).update(content).digest('hex')
}

function isSignedEndpoint(endpoint: string): endpoint is SignedEndpoint {
  return (SIGNED_ENDPOINTS as readonly string[]).includes(endpoint)
}
