import { createHmac } from 'node:crypto'
import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'

/**
 * Returns the provider's cookie names. On https, `__Host-` makes browsers reject cookies that other hosts set.
 * `__Secure-`, for cookies with a path, makes browsers reject cookies that http pages set. Local http supports neither
 * prefix.
 */
export function cookieNames(providerOrigin: string) {
  const [host, secure] = providerOrigin.startsWith('https:') ? ['__Host-', '__Secure-'] : ['', '']
  return {
    session: `${host}sso`,
    interaction: `${secure}sign_in`,
    resume: `${secure}sign_in_resume`,
    /** Identifies the browser that has requested an account. */
    signUp: `${host}sign_up`,
    /** Name of the known-browser cookie, one per account that has signed in with this browser. */
    known: (account: string) => `${host}known_${account}`,
  }
}

/**
 * Returns a cookie signer with HMAC-SHA-256. The first key signs, and every key verifies. Replaces keygrip, which uses
 * SHA-1 by default.
 */
export function cookieSigner(keys: readonly string[]) {
  const signWithKey = (key: string, data: string) => createHmac('sha256', key).update(data).digest('base64url')
  const index = (data: string, digest: string) =>
    keys.findIndex((key) => isEqualConstantTime(signWithKey(key, data), digest))
  return {
    sign: (data: string) => signWithKey(keys[0] ?? '', data),
    index,
    verify: (data: string, digest: string) => index(data, digest) >= 0,
  }
}
