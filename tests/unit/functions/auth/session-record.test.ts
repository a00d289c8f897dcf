import { describe, expect, test } from 'vitest'
import {
  getAbsoluteEnd,
  hasConfiguredIssuer,
  isSessionEnded,
  getNextEnd,
  upgradeRecord,
  type SessionRecord,
} from '../../../../functions/lib/auth/session-record.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const NOW = 1_763_600_000_000
const ISSUER = 'https://id.example'
const rules = {
  OIDC_ISSUER: ISSUER,
  embedded: true,
  renewsByCall: false,
  sessionIdleMs: 14 * DAY_MS,
  sessionLifeMs: 30 * DAY_MS,
}
const createIdToken = (iss: string) => `e30.${Buffer.from(JSON.stringify({ iss })).toString('base64url')}.sig`
const tokens = { access: 'a', refresh: 'r', idToken: createIdToken(ISSUER), expiresAt: NOW + 3_600_000 }
const earlierRecord = { userId: 'user_1', email: 'a@example.com', tokens, generation: 1, handle: '1.x', usedAt: NOW }
const record: SessionRecord = {
  ...earlierRecord,
  startedAt: NOW,
  issuer: ISSUER,
  isListed: true,
  isEmailConfirmed: true,
}

describe('OPEN-18 session', () => {
  test('ends 14 days after its last use, to the millisecond', () => {
    expect(isSessionEnded(record, rules, NOW + 14 * DAY_MS - 1)).toBe(false)
    expect(isSessionEnded(record, rules, NOW + 14 * DAY_MS)).toBe(true)
  })

  test('ends 30 days after its sign-in, however much it is used', () => {
    const used = (at: number) => ({ ...record, usedAt: at })
    expect(isSessionEnded(used(NOW + 30 * DAY_MS - 1), rules, NOW + 30 * DAY_MS - 1)).toBe(false)
    expect(isSessionEnded(used(NOW + 30 * DAY_MS - 1), rules, NOW + 30 * DAY_MS)).toBe(true)
    expect(getNextEnd(used(NOW + 29 * DAY_MS), rules)).toBe(NOW + 30 * DAY_MS)
  })

  test('ends exactly with its access token if nothing can refresh the token', () => {
    const single = { ...record, tokens: { ...tokens, refresh: null } }
    expect(getAbsoluteEnd(single, rules)).toBe(tokens.expiresAt)
    expect(isSessionEnded(single, rules, tokens.expiresAt - 1)).toBe(false)
    expect(getAbsoluteEnd(single, { ...rules, renewsByCall: true })).toBe(NOW + 30 * DAY_MS)
  })

  test('ends when the configured issuer changes', () => {
    expect(isSessionEnded(record, { ...rules, OIDC_ISSUER: 'https://other.example' }, NOW)).toBe(true)
  })
})

describe('root issuer', () => {
  const rulesWithSlash = { ...rules, OIDC_ISSUER: `${ISSUER}/` }

  test.each([
    [
      'ID tokens name it with a slash',
      { ...record, tokens: { ...tokens, idToken: createIdToken(`${ISSUER}/`) } },
      rules,
    ],
    ['the setting gains a slash', record, rulesWithSlash],
    ['an early record names no issuer', { ...record, issuer: '' }, rulesWithSlash],
  ])('is the same and receives token revocations when %s', (_, its, currentRules) => {
    expect(hasConfiguredIssuer(its, currentRules)).toBe(true)
    expect(isSessionEnded(upgradeRecord(its, currentRules, NOW), currentRules, NOW)).toBe(its.issuer === '')
  })

  test('differs from an issuer with another path, which receives no tokens', () => {
    const other = { ...rules, OIDC_ISSUER: `${ISSUER}/tenant` }
    expect([hasConfiguredIssuer(record, other), isSessionEnded(record, other, NOW)]).toEqual([false, true])
  })
})

describe('session record of an earlier version', () => {
  test('OPEN-181 has a confirmed email address only from the embedded provider', () => {
    expect(upgradeRecord(earlierRecord, { ...rules, embedded: false }, NOW).isEmailConfirmed).toBe(false)
  })

  test('from the embedded provider stays valid, and its lifetime counts from now', () => {
    const read = upgradeRecord(earlierRecord, rules, NOW)
    expect(read).toEqual({ ...record, isListed: false })
    expect(isSessionEnded(read, rules, NOW)).toBe(false)
  })

  test.each([
    ['another issuer', earlierRecord, { ...rules, embedded: false }],
    [
      'a previous issuer',
      { ...earlierRecord, tokens: { ...tokens, idToken: createIdToken('https://before.example') } },
      rules,
    ],
    ['an unknown issuer', { ...earlierRecord, tokens: { ...tokens, idToken: null } }, rules],
  ])('from %s has ended because its account was not bound to its issuer', (_, old, its) => {
    expect(isSessionEnded(upgradeRecord(old, its, NOW), its, NOW)).toBe(true)
  })
})
