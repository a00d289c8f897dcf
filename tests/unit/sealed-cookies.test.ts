import { describe, expect, test } from 'vitest'
import { seal, unseal } from '../../functions/lib/seal.ts'
import { newSessionId, openSessionCookie, tagSessionId } from '../../functions/lib/session-id.ts'
import {
  readTransactions,
  TRANSACTION_MS,
  writeTransactions,
  type Transaction,
} from '../../functions/lib/transactions.ts'

const KEY = 'k'.repeat(43)
const OTHER = 'o'.repeat(43)
const NOW = 1_763_600_000_000

/** Changes the last character but one; the very last may hold bits that do not count. */
const tampered = (text: string) => text.slice(0, -2) + (text.at(-2) === 'A' ? 'B' : 'A') + text.slice(-1)

describe('sealing', () => {
  test('gives back what was sealed, and shows nothing of it', async () => {
    const sealed = await seal({ verifier: 'secret' }, KEY)
    expect(sealed).not.toContain('secret')
    expect(await unseal(sealed, KEY)).toEqual({ verifier: 'secret' })
  })

  test('never seals twice the same', async () => {
    expect(await seal(1, KEY)).not.toBe(await seal(1, KEY))
  })

  test('opens nothing that was changed, made elsewhere or is no seal', async () => {
    const sealed = await seal({ a: 1 }, KEY)
    expect(await unseal(tampered(sealed), KEY)).toBeNull()
    expect(await unseal(sealed, OTHER)).toBeNull()
    for (const text of ['', 'x', '%%%', 'AAAA', undefined]) expect(await unseal(text, KEY)).toBeNull()
  })
})

describe('session cookie', () => {
  test('opens to the id that it was made of', async () => {
    const id = newSessionId()
    expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(openSessionCookie(tagSessionId(id, KEY), KEY)).toBe(id)
  })

  test('with a tag that is changed, missing or of another deployment opens to nothing', async () => {
    const cookie = tagSessionId(newSessionId(), KEY)
    const [id = ''] = cookie.split('.')
    for (const forged of [tampered(cookie), id, `${id}.`, `${id}.${id}`, `${cookie}.x`, '', undefined]) {
      expect(openSessionCookie(forged, KEY)).toBeNull()
    }
    expect(openSessionCookie(cookie, OTHER)).toBeNull()
  })
})

describe('pending sign-ins', () => {
  const one = (state: string, at = NOW): Transaction => ({
    verifier: 'v'.repeat(52),
    nonce: 'n'.repeat(43),
    state,
    kount: 'k',
    at,
  })

  test('come back as they were, newest first', async () => {
    const list = [one('/live'), one('/events')]
    expect(await readTransactions(await writeTransactions(list, KEY), KEY, NOW)).toEqual(list)
  })

  test('are four at most: the oldest goes', async () => {
    const list = ['/1', '/2', '/3', '/4', '/5'].map((state) => one(state))
    const kept = await readTransactions(await writeTransactions(list, KEY), KEY, NOW)
    expect(kept.map(({ state }) => state)).toEqual(['/1', '/2', '/3', '/4'])
  })

  test('fit into a cookie, however long their paths are', async () => {
    const long = one(`/${'a'.repeat(2047)}`)
    const cookie = await writeTransactions([long, long, long, long], KEY)
    expect(cookie.length).toBeLessThanOrEqual(3900)
    expect(await readTransactions(cookie, KEY, NOW)).toHaveLength(1)
  })

  test('end after ten minutes', async () => {
    const cookie = await writeTransactions([one('/live')], KEY)
    expect(await readTransactions(cookie, KEY, NOW + TRANSACTION_MS - 1)).toHaveLength(1)
    expect(await readTransactions(cookie, KEY, NOW + TRANSACTION_MS)).toHaveLength(0)
  })
})
