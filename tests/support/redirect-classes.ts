import fc from 'fast-check'
import { createRedirectRules } from '../../src/domain/navigation/safe-redirect.ts'

/**
 * Redirect rules of a deployment on public domains. Node and browser tests check the rules with the URLs of this file.
 */
export const publicRedirectRules = createRedirectRules({
  portalOrigin: 'https://cameras.own.example',
  providerOrigin: 'https://provider.test',
  paymentOrigin: 'https://card.test',
  ownDomain: 'own.example',
  paymentDomain: 'pay.test',
})
export const localRedirectRules = createRedirectRules({
  portalOrigin: 'http://localhost:8787',
  providerOrigin: 'http://127.0.0.1:8788',
  paymentOrigin: 'http://127.0.0.1:8789',
  ownDomain: 'own.example',
  paymentDomain: 'pay.test',
})
/** Rules of `npm start -- --lan` at an address, where all origins share one host. */
export const lanRedirectRules = createRedirectRules({
  portalOrigin: 'https://192.168.1.10:8787',
  providerOrigin: 'https://192.168.1.10:8788',
  paymentOrigin: 'https://192.168.1.10:8789',
  ownDomain: '192.168.1.10',
  paymentDomain: '192.168.1.10',
})

/** URLs that `publicRedirectRules` accept: [reason, URL]. */
export const ACCEPTED_URLS = [
  ['REDIRECT-05 the own domain', 'https://own.example/a?b=1#c'],
  ['REDIRECT-05 the host of the portal', 'https://cameras.own.example/live'],
  ['REDIRECT-06 a subdomain of the own domain', 'https://deep.sub.own.example/'],
  ['REDIRECT-07 the domain of the card payment provider', 'https://pay.test/card'],
  ['REDIRECT-08 a subdomain of the card payment provider', 'https://checkout.pay.test/x?y=%20'],
] as const

export const NON_HTTPS_URLS = [
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
]

export const LOOK_ALIKE_URLS = [
  'https://evil-own.example/',
  'https://own.example.evil.test/',
  'https://ownXexample/',
  'https://example/',
  'https://own.example./',
  'https://.own.example/',
  'https://evil.test/?own.example',
  'https://evil.test/own.example',
  'https://evil.test#.own.example',
]

export const PAYMENT_LOOK_ALIKE_URLS = ['https://evilpay.test/', 'https://pay.test.evil.test/']

/**
 * Paths of the sign-in flow in several spellings, and one path with a malformed encoding. The rules reject these paths
 * as redirect targets (OPEN-135).
 */
export const SIGN_IN_PATHS = [
  '/user/login',
  '/user/logout?x=1',
  '/user/callback?redirect_uri=%2Flive',
  '/user',
  '/USER/login',
  '/%75ser/login',
  '/live/../user/login',
  '/./user/redirect',
  '/%2e/user/login',
  '/user%2Flogin',
  '/%2Fuser/login',
  '/%E0%A4/user',
]

/** Values that `publicRedirectRules` reject: [reason, value]. */
export const CONFUSING_REDIRECTS: (readonly [string, unknown])[] = [
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
  ['an origin of a card page that is not local', 'https://card.test/card'],
]

export const LOCAL_ACCEPTED_URLS = [
  'http://localhost:8787/live',
  'http://127.0.0.1:8788/home-monitoring',
  'http://127.0.0.1:8789/card',
]

export const LOCAL_REJECTED_URLS = [
  'http://localhost:9999/',
  'http://127.0.0.1:8787/',
  'http://own.example/',
  'http://localhost:8787@evil.test/',
  'http://localhost.evil.test:8787/',
  'http://2130706433:8788/',
]

/** URL parts that confuse parsers. The tests build random strings from these parts. */
const urlPieceArbitrary = fc.constantFrom(
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
const randomUrlArbitrary = fc.array(urlPieceArbitrary, { maxLength: 8 }).map((pieces) => pieces.join(''))
/** Redirect values that an attacker may send. */
export const hostileRedirectArbitrary = fc.oneof(
  randomUrlArbitrary,
  randomUrlArbitrary.map((rest) => `https://${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string(),
)

export const randomPathArbitrary = fc.oneof(randomUrlArbitrary, fc.string()).map((rest) => `/${rest}`)
