import { createHmac } from 'node:crypto'
import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'

/**
 * Names of the provider's cookies. On https they carry the prefix that makes a browser refuse them from anybody else:
 * `__Host-` for those of the whole origin, `__Secure-` for those of one path. Plain http on this machine knows neither.
 */
export function cookieNames(providerOrigin: string) {
  const [host, secure] = providerOrigin.startsWith('https:') ? ['__Host-', '__Secure-'] : ['', '']
  return {
    session: `${host}sso`,
    interaction: `${secure}sign_in`,
    resume: `${secure}sign_in_resume`,
    /** One for each account that has signed in by this browser, told apart by `account`. */
    known: (account: string) => `${host}known_${account}`,
  }
}

/**
 * Signs cookies by HMAC-SHA-256, base64url, in their companions `.sig`. The first of `keys` signs, all of them verify; the
 * methods are those of keygrip, whose own default is SHA-1.
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
