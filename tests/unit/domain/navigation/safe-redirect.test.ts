import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createRedirectRules,
  REDIRECT_FALLBACK,
  toSafePath,
  toSafeRedirect,
} from '../../../../src/domain/navigation/safe-redirect.ts'
import {
  ACCEPTED_URLS,
  CONFUSING_REDIRECTS,
  LOCAL_ACCEPTED_URLS,
  LOCAL_REJECTED_URLS,
  LOOK_ALIKE_URLS,
  NON_HTTPS_URLS,
  PAYMENT_LOOK_ALIKE_URLS,
  hostileRedirectArbitrary,
  SIGN_IN_PATHS,
  lanRedirectRules,
  localRedirectRules,
  publicRedirectRules,
  randomPathArbitrary,
} from '../../../support/redirect-classes.ts'

const resolveRedirect = (raw: unknown) => toSafeRedirect(raw, publicRedirectRules)

describe('accepted redirects', () => {
  test.each(ACCEPTED_URLS)('%s', (_, url) => {
    expect(resolveRedirect(url)).toBe(url)
  })

  test('letter case and the default port are normalized', () => {
    expect(resolveRedirect('HTTPS://OWN.example:443/A')).toBe('https://own.example/A')
  })

  test('a path resolves to a page of the portal', () => {
    expect(resolveRedirect('/events?x=1')).toBe('https://cameras.own.example/events?x=1')
  })
})

describe('rejected redirects', () => {
  test.each(NON_HTTPS_URLS)('REDIRECT-04 REDIRECT-09 a scheme other than https, or none: %s', (url) => {
    expect(resolveRedirect(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(LOOK_ALIKE_URLS)('REDIRECT-06 REDIRECT-09 a host that only resembles the own host: %s', (url) => {
    expect(resolveRedirect(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(PAYMENT_LOOK_ALIKE_URLS)('REDIRECT-08 REDIRECT-09 a payment look-alike: %s', (url) => {
    expect(resolveRedirect(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(CONFUSING_REDIRECTS)('REDIRECT-09 falls back for %s', (_, url) => {
    expect(resolveRedirect(url)).toBe('/account/services')
  })
})

describe('pages of the sign-in flow', () => {
  test.each(SIGN_IN_PATHS)('OPEN-135 are rejected like a foreign URL, as a path and as an own URL: %s', (path) => {
    expect(resolveRedirect(path)).toBe(REDIRECT_FALLBACK)
    expect(resolveRedirect(`https://cameras.own.example${path}`)).toBe(REDIRECT_FALLBACK)
    expect(toSafeRedirect(`http://localhost:8787${path}`, localRedirectRules)).toBe(REDIRECT_FALLBACK)
    expect(toSafePath(path)).toBeNull()
  })

  test.each(['/users', '/account/user', '/live?next=/user/login', '/events#/user'])(
    'OPEN-135 do not include paths that only resemble them: %s',
    (path) => {
      expect(toSafePath(path)).toBe(path)
      expect(resolveRedirect(path)).toBe(`https://cameras.own.example${path}`)
    },
  )
})

describe('host that contains local', () => {
  test.each(LOCAL_ACCEPTED_URLS)('the exact origin is accepted with http: %s', (url) => {
    expect(toSafeRedirect(url, localRedirectRules)).toBe(url)
  })
  test('a path resolves to a page of the portal', () => {
    expect(toSafeRedirect('/live', localRedirectRules)).toBe('http://localhost:8787/live')
  })
  test.each(LOCAL_REJECTED_URLS)('REDIRECT-04 REDIRECT-09 nothing else with http is accepted: %s', (url) => {
    expect(toSafeRedirect(url, localRedirectRules)).toBe(REDIRECT_FALLBACK)
  })
  test('the provider is not accepted on other hosts', () => {
    expect(toSafeRedirect('http://127.0.0.1:8788/card', publicRedirectRules)).toBe(REDIRECT_FALLBACK)
  })
})

describe('origins with ports on one host', () => {
  test.each(['https://192.168.1.10:8787/live', 'https://192.168.1.10:8789/card'])('accept exactly %s', (url) => {
    expect(toSafeRedirect(url, lanRedirectRules)).toBe(url)
  })
  test('resolve a path to a page of the portal', () => {
    expect(toSafeRedirect('/live', lanRedirectRules)).toBe('https://192.168.1.10:8787/live')
  })
  test.each([
    'https://192.168.1.10/',
    'https://192.168.1.10:8788/',
    'https://192.168.1.10:8790/',
    'http://192.168.1.10:8787/',
    'https://192.168.1.11:8787/',
    'https://192.168.1.10:8787@evil.test/',
    'https://192.168.1.10:8787.evil.test/',
    'https://a.192.168.1.10/',
  ])('REDIRECT-04 REDIRECT-09 reject %s', (url) => {
    expect(toSafeRedirect(url, lanRedirectRules)).toBe(REDIRECT_FALLBACK)
  })
  test.each(['https://hub.home.example/', 'https://home.example/', 'https://nas.home.example/'])(
    'REDIRECT-09 reject %s, although the own domain contains it',
    (url) => {
      const portalOrigin = 'https://hub.home.example:8787'
      const rules = createRedirectRules({
        portalOrigin,
        providerOrigin: 'https://hub.home.example:8788',
        paymentOrigin: '',
        ownDomain: 'home.example',
        paymentDomain: 'pay.test',
      })
      expect(toSafeRedirect(url, rules)).toBe(REDIRECT_FALLBACK)
      expect(toSafeRedirect(`${portalOrigin}/live`, rules)).toBe(`${portalOrigin}/live`)
    },
  )
})

test('REDIRECT-09 any input yields only https at a listed host, or the fallback', () => {
  fc.assert(
    fc.property(hostileRedirectArbitrary, (raw) => {
      const result = resolveRedirect(raw)
      if (result === REDIRECT_FALLBACK) return
      const url = new URL(result)
      expect(url.protocol).toBe('https:')
      expect(url.port + url.username + url.password).toBe('')
      expect(url.hostname).toMatch(/^(?:[a-z0-9.-]+\.)?(?:own\.example|pay\.test)$/)
      expect(toSafeRedirect(result, publicRedirectRules)).toBe(result)
    }),
    { numRuns: 5000 },
  )
})

describe('return path', () => {
  test.each(['/', '/live', '/events?x=1&y=%2F%2F', '/account/products/choose?a=https://evil.test/'])(
    '%s is kept unchanged',
    (path) => {
      expect(toSafePath(path)).toBe(path)
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
    expect(toSafePath(path)).toBeNull()
  })

  test('an accepted URL may have a path that is not accepted', () => {
    const url = resolveRedirect('https://own.example//evil.test')
    expect(url).toBe('https://own.example//evil.test')
    expect(toSafePath(new URL(url).pathname)).toBeNull()
  })

  test('for any input, an accepted path stays on its origin, even after parsing it again', () => {
    fc.assert(
      fc.property(randomPathArbitrary, (raw) => {
        if (toSafePath(raw) === null) return
        const url = new URL(raw, 'https://own.example')
        expect(url.origin).toBe('https://own.example')
        expect(new URL(url.pathname + url.search, 'https://own.example').host).toBe('own.example')
      }),
      { numRuns: 5000 },
    )
  })
})
