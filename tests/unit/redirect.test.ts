import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REDIRECT_FALLBACK, redirectRules, safePath, safeRedirect } from '../../src/domain/redirect.ts'

const rules = redirectRules({
  portalOrigin: 'https://cameras.own.example',
  providerOrigin: 'https://provider.test',
  ownDomain: 'own.example',
  paymentDomain: 'pay.test',
})
const local = redirectRules({
  portalOrigin: 'http://localhost:8787',
  providerOrigin: 'http://127.0.0.1:8788',
  ownDomain: 'own.example',
  paymentDomain: 'pay.test',
})
const go = (raw: unknown) => safeRedirect(raw, rules)

describe('accepted redirects', () => {
  test.each([
    ['REDIRECT-05 the own domain', 'https://own.example/a?b=1#c'],
    ['REDIRECT-05 the host of the portal', 'https://cameras.own.example/live'],
    ['REDIRECT-06 a subdomain of the own domain', 'https://deep.sub.own.example/'],
    ['REDIRECT-07 the domain of the card payment provider', 'https://pay.test/card'],
    ['REDIRECT-08 a subdomain of the card payment provider', 'https://checkout.pay.test/x?y=%20'],
  ])('%s', (_, url) => {
    expect(go(url)).toBe(url)
  })

  test('letter case and the default port are written as usual', () => {
    expect(go('HTTPS://OWN.example:443/A')).toBe('https://own.example/A')
  })

  test('a path is a page of the portal', () => {
    expect(go('/events?x=1')).toBe('https://cameras.own.example/events?x=1')
  })
})

describe('refused redirects', () => {
  test.each([
    'http://own.example/',
    'javascript:alert(1)//own.example',
    'data:text/html,own.example',
    'ftp://own.example/',
    'blob:https://own.example/x',
    'own.example/live',
    '//own.example/',
    'https:own.example',
    'https:/own.example',
    'https:///own.example/',
  ])('REDIRECT-04 REDIRECT-09 a scheme that is not https, or none: %s', (url) => {
    expect(go(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each([
    'https://evil-own.example/',
    'https://own.example.evil.test/',
    'https://ownXexample/',
    'https://example/',
    'https://own.example./',
    'https://.own.example/',
    'https://evil.test/?own.example',
    'https://evil.test/own.example',
    'https://evil.test#.own.example',
  ])('REDIRECT-06 REDIRECT-09 a host that only looks like the own one: %s', (url) => {
    expect(go(url)).toBe(REDIRECT_FALLBACK)
  })

  test.each(['https://evilpay.test/', 'https://pay.test.evil.test/'])(
    'REDIRECT-08 REDIRECT-09 a payment look-alike: %s',
    (url) => {
      expect(go(url)).toBe(REDIRECT_FALLBACK)
    },
  )

  test.each([
    ['user info', 'https://own.example@evil.test/'],
    ['user info before an own host', 'https://user:pass@own.example/'],
    ['empty user info', 'https://@own.example/'],
    ['another port', 'https://own.example:8443/'],
    ['a backslash', 'https://evil.test\\@own.example/'],
    ['a backslash after the host', 'https://own.example\\.evil.test/'],
    ['backslashes for slashes', 'https:\\\\own.example/'],
    ['a tab', 'https://own.exam\tple/'],
    ['a new line in the path', 'https://own.example/\nx'],
    ['a leading space', ' https://own.example/'],
    ['a space in the host', 'https://own .example/'],
    ['an encoded dot', 'https://own%2eexample/'],
    ['an encoded slash', 'https://own.example%2f.evil.test/'],
    ['a full-width dot', 'https://own。example/'],
    ['full-width letters', 'https://ｏwn.example/'],
    ['an accented look-alike', 'https://öwn.example/'],
    ['a zero-width space', 'https://own\u200b.example/'],
    ['a null character', 'https://own.example\0.evil.test/'],
    ['more than 2,048 characters', `https://own.example/${'a'.repeat(2048)}`],
    ['an empty string', ''],
    ['a path that leaves the origin', '//evil.test'],
    ['a path with a backslash', '/\\evil.test'],
    ['a path that folds into another host', '/.//evil.test'],
    ['no string', null],
    ['an IP number', 'https://127.0.0.1/'],
    ['a provider that is not local', 'https://provider.test/'],
  ])('REDIRECT-09 falls back for %s', (_, url) => {
    expect(go(url)).toBe('/account/services')
  })
})

describe('on a host that contains local', () => {
  test.each(['http://localhost:8787/live', 'http://127.0.0.1:8788/card'])(
    'the exact origin is accepted with http: %s',
    (url) => {
      expect(safeRedirect(url, local)).toBe(url)
    },
  )
  test('a path is a page of the portal', () => {
    expect(safeRedirect('/live', local)).toBe('http://localhost:8787/live')
  })
  test.each([
    'http://localhost:9999/',
    'http://127.0.0.1:8787/',
    'http://own.example/',
    'http://localhost:8787@evil.test/',
    'http://localhost.evil.test:8787/',
    'http://2130706433:8788/',
  ])('REDIRECT-04 REDIRECT-09 nothing else is, with http: %s', (url) => {
    expect(safeRedirect(url, local)).toBe(REDIRECT_FALLBACK)
  })
  test('elsewhere the provider is not accepted', () => {
    expect(safeRedirect('http://127.0.0.1:8788/card', rules)).toBe(REDIRECT_FALLBACK)
  })
})

/** Strings that look like addresses, made of the pieces that confuse parsers. */
const piece = fc.constantFrom(
  'https:',
  'http:',
  '/',
  '//',
  '\\',
  '@',
  ':',
  '.',
  '?',
  '#',
  '%2e',
  '%',
  '\t',
  '\n',
  ' ',
  'own.example',
  'pay.test',
  'evil.test',
  'localhost',
  '8787',
  '[::1]',
  '。',
  'xn--',
  'A',
  '\u0000',
  '..',
)
const address = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
const hostile = fc.oneof(
  address,
  address.map((rest) => `https://${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string(),
)

test('REDIRECT-09 whatever comes in, only https at a listed host or the fallback comes out', () => {
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

describe('a path to come back to', () => {
  test.each(['/', '/live', '/events?x=1&y=%2F%2F', '/account/products/choose?a=https://evil.test/'])(
    '%s is kept as it is',
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
  ])('%j is refused', (path) => {
    expect(safePath(path)).toBeNull()
  })

  test('an accepted address may have a path that is not accepted', () => {
    const url = go('https://own.example//evil.test')
    expect(url).toBe('https://own.example//evil.test')
    expect(safePath(new URL(url).pathname)).toBeNull()
  })

  test('whatever comes in, an accepted path stays on its origin, also when its parsed path is read back', () => {
    const slashed = fc.oneof(address, fc.string()).map((rest) => `/${rest}`)
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
