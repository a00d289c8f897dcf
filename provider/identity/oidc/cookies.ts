import { createHmac } from 'node:crypto'
import {
  INTERACTION_COOKIE,
  KNOWN_BROWSER_COOKIE,
  RESUME_COOKIE,
  SIGN_UP_COOKIE,
  SSO_COOKIE,
  toCookieName,
} from '../../../contract/wire/cookies.ts'
import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'

/** Returns the names of the provider's cookies on its origin. */
export const cookieNames = (providerOrigin: string) => ({
  session: toCookieName(SSO_COOKIE, providerOrigin),
  interaction: toCookieName(INTERACTION_COOKIE, providerOrigin),
  resume: toCookieName(RESUME_COOKIE, providerOrigin),
  signUp: toCookieName(SIGN_UP_COOKIE, providerOrigin),
  /** Name of the known-browser cookie of one account. */
  known: (account: string) => toCookieName(`${KNOWN_BROWSER_COOKIE}${account}`, providerOrigin),
})

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
