import { describe, expect, test } from 'vitest'
import { encryptValue, decryptValue } from '../../../../functions/lib/security/encrypt-value.ts'
import { createSessionId, verifySessionCookie, tagSessionId } from '../../../../functions/lib/auth/session-id.ts'
import {
  countFittingCookies,
  decryptPendingAuthorizations,
  encryptPendingAuthorization,
  PENDING_AUTHORIZATION_LIFETIME_MS,
  getAuthorizationCookieName,
  type PendingAuthorization,
} from '../../../../functions/lib/auth/pending-authorizations.ts'

const KEY = 'k'.repeat(43)
const OTHER_KEY = 'o'.repeat(43)
const NOW = 1_763_600_000_000

/**
 * Changes the second-to-last character, because the last character may contain unused bits that do not affect the
 * value.
 */
const tamper = (text: string) => text.slice(0, -2) + (text.at(-2) === 'A' ? 'B' : 'A') + text.slice(-1)

describe('an encrypted value', () => {
  test('decrypts to the original, and reveals nothing of it', async () => {
    const sealed = await encryptValue({ verifier: 'secret' }, KEY)
    expect(sealed).not.toContain('secret')
    expect(await decryptValue(sealed, [KEY])).toEqual({ verifier: 'secret' })
  })

  test('is different each time', async () => {
    expect(await encryptValue(1, KEY)).not.toBe(await encryptValue(1, KEY))
  })

  test('does not decrypt if it is changed, made with another key or malformed', async () => {
    const sealed = await encryptValue({ a: 1 }, KEY)
    expect(await decryptValue(tamper(sealed), [KEY])).toBeNull()
    expect(await decryptValue(sealed, [OTHER_KEY])).toBeNull()
    for (const text of ['', 'x', '%%%', 'AAAA', undefined]) expect(await decryptValue(text, [KEY])).toBeNull()
  })
})

describe('a session cookie', () => {
  test('decodes to the ID that it was made of', async () => {
    const id = createSessionId()
    expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(verifySessionCookie(tagSessionId(id, KEY), [KEY])).toBe(id)
  })

  test('with a changed or missing tag, or one of another deployment, is rejected', async () => {
    const cookie = tagSessionId(createSessionId(), KEY)
    const [id = ''] = cookie.split('.')
    for (const forged of [tamper(cookie), id, `${id}.`, `${id}.${id}`, `${cookie}.x`, '', undefined]) {
      expect(verifySessionCookie(forged, [KEY])).toBeNull()
    }
    expect(verifySessionCookie(cookie, [OTHER_KEY])).toBeNull()
  })
})

test('after a key rotation, cookies and values of the previous key stay valid beside new ones', async () => {
  const id = createSessionId()
  for (const key of [KEY, OTHER_KEY]) {
    expect(verifySessionCookie(tagSessionId(id, key), [KEY, OTHER_KEY])).toBe(id)
    expect(await decryptValue(await encryptValue('a', key), [KEY, OTHER_KEY])).toBe('a')
  }
})

describe.each(['https://cam.example.com', 'http://localhost:8787'])(
  'pending authorization requests of %s',
  (PORTAL_ORIGIN) => {
    const makeTransaction = (handle: string, at = NOW): PendingAuthorization => ({
      handle,
      verifier: 'v'.repeat(52),
      nonce: 'n'.repeat(43),
      state: '/live',
      kount: 'k',
      at,
    })
    const createCookies = async (...list: PendingAuthorization[]) =>
      Object.fromEntries(
        await Promise.all(
          list.map(
            async (each) =>
              [getAuthorizationCookieName(each, PORTAL_ORIGIN), await encryptPendingAuthorization(each, KEY)] as const,
          ),
        ),
      )

    test('are read back unchanged from one cookie each, newest first', async () => {
      const [first, second] = [makeTransaction('a', NOW - 2), makeTransaction('b', NOW - 1)]
      const stored = await createCookies(first, second)
      expect(Object.keys(stored)).toHaveLength(2)
      expect(
        await decryptPendingAuthorizations({ ...stored, sid: 'x' }, { cookieKeys: [KEY], PORTAL_ORIGIN }, NOW),
      ).toEqual([second, first])
    })

    test('are ignored under another name, or if encrypted with another key', async () => {
      const [sealed = ''] = Object.values(await createCookies(makeTransaction('a')))
      expect(
        await decryptPendingAuthorizations(
          { [getAuthorizationCookieName(makeTransaction('b'), PORTAL_ORIGIN)]: sealed },
          { cookieKeys: [KEY], PORTAL_ORIGIN },
          NOW,
        ),
      ).toEqual([])
      expect(
        await decryptPendingAuthorizations(
          { [getAuthorizationCookieName(makeTransaction('a'), PORTAL_ORIGIN)]: sealed },
          { cookieKeys: [OTHER_KEY], PORTAL_ORIGIN },
          NOW,
        ),
      ).toEqual([])
    })

    test('are at most four, fewer with long paths, and always at least one', () => {
      expect(countFittingCookies([400])).toBe(1)
      expect(countFittingCookies(Array<number>(20).fill(400))).toBe(4)
      expect(countFittingCookies([3100, 3100, 3100])).toBe(2)
      expect(countFittingCookies([9000, 400])).toBe(1)
    })

    test('expire after ten minutes', async () => {
      const stored = await createCookies(makeTransaction('a'))
      expect(
        await decryptPendingAuthorizations(
          stored,
          { cookieKeys: [KEY], PORTAL_ORIGIN },
          NOW + PENDING_AUTHORIZATION_LIFETIME_MS - 1,
        ),
      ).toHaveLength(1)
      expect(
        await decryptPendingAuthorizations(
          stored,
          { cookieKeys: [KEY], PORTAL_ORIGIN },
          NOW + PENDING_AUTHORIZATION_LIFETIME_MS,
        ),
      ).toHaveLength(0)
    })
  },
)
