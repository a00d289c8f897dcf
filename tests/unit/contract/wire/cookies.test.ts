import { describe, expect, test } from 'vitest'
import { ALL_COOKIES, SESSION_COOKIE, toCookieName, usesSecureCookies } from '../../../../contract/wire/cookies.ts'
import { COLLECTOR_KEYS } from '../../../../src/stores/storage/analytics-keys.ts'

const LOCAL_ORIGINS = ['http://localhost:8787', 'http://127.0.0.1:8788', 'http://[::1]:8789', 'http://cam.localhost']
const OTHER_ORIGINS = ['https://cam.example.com', 'https://localhost:8787', 'http://192.168.1.20:8787']
const allNames = [...Object.values(ALL_COOKIES).flat(), COLLECTOR_KEYS.cookie]

describe('cookie names', () => {
  test.each(LOCAL_ORIGINS)('have no prefix on %s, where cookies are not Secure', (origin) => {
    expect(usesSecureCookies(origin)).toBe(false)
    for (const name of allNames) expect(toCookieName(name, origin)).toMatch(/^(?!__)/)
    expect(toCookieName(SESSION_COOKIE, origin)).toBe('sid')
  })

  test.each(OTHER_ORIGINS)('stay the same on %s', (origin) => {
    expect(usesSecureCookies(origin)).toBe(true)
    expect(allNames.map((name) => toCookieName(name, origin))).toEqual(allNames)
  })

  // Browsers do not separate cookies by port. Some names are only the start of a name, and signatures add `.sig`.
  test('of the portal, the provider and the card page differ on one host, also by their start', () => {
    const variableStarts = ['tx-', 'known_']
    const names = allNames.map((name) => toCookieName(name, 'http://localhost'))
    expect(names).toEqual(expect.arrayContaining(['tx', 'known_', 'sso', 'card']))
    expect(new Set(names).size).toBe(allNames.length)
    for (const start of variableStarts)
      expect(names.filter((name) => name.startsWith(start)).filter((name) => name !== 'known_')).toEqual([])
    expect(names.filter((name) => name.endsWith('.sig'))).toEqual([])
  })
})
