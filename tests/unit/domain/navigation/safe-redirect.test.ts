import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REDIRECT_FALLBACK, safePath, safeRedirect } from '../../../../src/domain/navigation/safe-redirect.ts'
import {
  ACCEPTED,
  CONFUSING,
  LOCAL_ACCEPTED,
  LOCAL_REFUSED,
  LOOK_ALIKES,
  NOT_HTTPS,
  PAYMENT_LOOK_ALIKES,
  hostile,
  SIGN_IN_PATHS,
  local,
  rules,
  slashed,
} from '../../../support/redirect-classes.ts'

const go = (raw: unknown) => safeRedirect(raw, rules)

describe('accepted redirects', () => {
  test.each(ACCEPTED)('%s', (_, url) => {
    expect(go(url)).toBe(url)
  })

  test('letter case and the default port are normalized', () => {
    expect(go('HTTPS://OWN.example:443/A')).toBe('https://own.example/A')
  })

  test('a path resolves to a page of the portal', () => {
    expect(go('/events?x=1')).toBe('https://cameras.own.example/events?x=1')
  })
})

describe('rejected redirects', () => {
  test.each(NOT_HTTPS)('REDIRECT-04 REDIRECT-09 a scheme other than https, or none: %s', (url) => {
    expect(go(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(LOOK_ALIKES)('REDIRECT-06 REDIRECT-09 a host that only resembles the own host: %s', (url) => {
    expect(go(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(PAYMENT_LOOK_ALIKES)('REDIRECT-08 REDIRECT-09 a payment look-alike: %s', (url) => {
    expect(go(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(CONFUSING)('REDIRECT-09 falls back for %s', (_, url) => {
    expect(go(url)).toBe('/account/services')
  })
})

describe('pages of the sign-in flow', () => {
  test.each(SIGN_IN_PATHS)('OPEN-135 are rejected like a foreign URL, as a path and as an own URL: %s', (path) => {
    expect(go(path)).toBe(REDIRECT_FALLBACK)
    expect(go(`https://cameras.own.example${path}`)).toBe(REDIRECT_FALLBACK)
    expect(safeRedirect(`http://localhost:8787${path}`, local)).toBe(REDIRECT_FALLBACK)
    expect(safePath(path)).toBeNull()
  })

  test.each(['/users', '/account/user', '/live?next=/user/login', '/events#/user'])(
    'OPEN-135 do not include paths that only resemble them: %s',
    (path) => {
      expect(safePath(path)).toBe(path)
      expect(go(path)).toBe(`https://cameras.own.example${path}`)
    },
  )
})

describe('host that contains local', () => {
  test.each(LOCAL_ACCEPTED)('the exact origin is accepted with http: %s', (url) => {
    expect(safeRedirect(url, local)).toBe(url)
  })
  test('a path resolves to a page of the portal', () => {
    expect(safeRedirect('/live', local)).toBe('http://localhost:8787/live')
  })
  test.each(LOCAL_REFUSED)('REDIRECT-04 REDIRECT-09 nothing else with http is accepted: %s', (url) => {
    expect(safeRedirect(url, local)).toBe(REDIRECT_FALLBACK)
  })
  test('the provider is not accepted on other hosts', () => {
    expect(safeRedirect('http://127.0.0.1:8788/card', rules)).toBe(REDIRECT_FALLBACK)
  })
})

test('REDIRECT-09 any input yields only https at a listed host, or the fallback', () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      const result = go(raw)
      if (result === REDIRECT_FALLBACK) return
      const url = new URL(result)
      expect(url.protocol).toBe('https:')
      expect(url.port + url.username + url.password).toBe('')
      expect(url.hostname).toMatch(/^(?:[a-z0-9.-]+\.)?(?:own\.example|pay\.test)$/)
      expect(safeRedirect(result, rules)).toBe(result)
    }),
    { numRuns: 5000 },
  )
})

describe('return path', () => {
  test.each(['/', '/live', '/events?x=1&y=%2F%2F', '/account/products/choose?a=https://evil.test/'])(
    '%s is kept unchanged',
    (path) => {
      expect(safePath(path)).toBe(path)
    },
  )
  test.each([
    '',
    'live',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/a\nb',
    '/.//evil.test',
    '/..//evil.test',
    '/a/..//evil.test',
    '/.\\/evil.test',
    'https://own.example/',
    `/${'a'.repeat(2048)}`,
    7,
    undefined,
  ])('%j is rejected', (path) => {
    expect(safePath(path)).toBeNull()
  })

  test('an accepted URL may have a path that is not accepted', () => {
    const url = go('https://own.example//evil.test')
    expect(url).toBe('https://own.example//evil.test')
    expect(safePath(new URL(url).pathname)).toBeNull()
  })

  test('for any input, an accepted path stays on its origin, even after parsing it again', () => {
    fc.assert(
      fc.property(slashed, (raw) => {
        if (safePath(raw) === null) return
        const url = new URL(raw, 'https://own.example')
        expect(url.origin).toBe('https://own.example')
        expect(new URL(url.pathname + url.search, 'https://own.example').host).toBe('own.example')
      }),
      { numRuns: 5000 },
    )
  })
})
