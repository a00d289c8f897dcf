import { SIGNED_ENDPOINTS, type SignedEndpoint } from '../../contract/endpoint-groups.ts'
import { toHex, utf8 } from './bytes.ts'

/**
 * The signature of a call (spec §6, OPEN-21): lower-case hex HMAC-SHA-256 of `content`, keyed with the 32 bytes
 * SHA-256(UTF-8(token + secret)). `content` is the exact body bytes, or for a call without body the query string with its
 * parameters sorted by name. For an endpoint without a secret of its own it logs `Invalid token` and answers ''.
 */
export async function sign(
  endpoint: string,
  content: Uint8Array<ArrayBuffer> | string,
  token: string,
  secret: string,
): Promise<string> {
  if (!isSigned(endpoint)) {
    console.log('Invalid token')
    return ''
  }
  const keyBytes = await crypto.subtle.digest('SHA-256', utf8(token + secret))
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = typeof content === 'string' ? utf8(content) : content
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)))
}

function isSigned(endpoint: string): endpoint is SignedEndpoint {
  return (SIGNED_ENDPOINTS as readonly string[]).includes(endpoint)
}
