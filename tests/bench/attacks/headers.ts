import type { VisitorWithAddress } from '../../support/visitor.ts'
import type { Attempts, Verdict } from './attempts.ts'
import type { AttackEnvironment } from './attack-environment.ts'

const EVIL_ORIGIN = 'https://evil.example'
const PAGE_PATHS = ['/', '/live', '/events', '/account/services', '/account/products/choose', '/redeem', '/user/login']
const PORTAL_PATHS = [
  ...PAGE_PATHS,
  '/user/logout',
  '/nowhere',
  '/healthz',
  '/api/auth/me',
  '/api/nowhere',
  '/m/thumb/none',
]
const PROVIDER_PAGE_PATHS = [
  '/account/password',
  '/account/second-factor',
  '/account/passkeys',
  '/account/forgotten',
  '/account/create',
  '/mail',
]
const PROVIDER_DATA_PATHS = [
  '/nowhere',
  '/healthz',
  '/oauth/jwks',
  '/.well-known/openid-configuration',
  '/api/v2/user/me',
  '/media/clip/x',
]
const CARD_HOST_PATHS = ['/card', '/healthz', '/nowhere', '/']

/** Paths of the OpenID Connect documents. Other sites may read them, because they contain no personal data. */
const PUBLIC_DOCUMENT = /\/oauth\/jwks$|\/openid-configuration$/

/** Checks the headers of one response. Returns a pair for each rule: the problem, and true if the response has it. */
function checkHeaderRules(answer: Response, isPublic: boolean): readonly (readonly [string, boolean])[] {
  const getHeader = (name: string) => answer.headers.get(name) ?? ''
  const policy = getHeader('content-security-policy')
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
  const isPage = getHeader('content-type').startsWith('text/html')
  const isDocument = isPage || /^[^;]*xml/.test(getHeader('content-type'))
  return [
    ['any site may frame the page', isDocument && !/frame-ancestors 'none'/.test(policy)],
    ['the CSP has no restrictive default-src', isDocument && !/default-src '(none|self)'/.test(policy)],
    ['the CSP allows inline scripts', /'unsafe-inline'|'unsafe-eval'|\*|data:/.test(scripts)],
    ['the CSP allows another base URL', isPage && !/base-uri '(none|self)'/.test(policy)],
    ['browsers may sniff the content type', getHeader('x-content-type-options') !== 'nosniff'],
    [
      'the page sends its URL to other sites',
      !/^(no-referrer|same-origin|strict-origin)/.test(getHeader('referrer-policy')),
    ],
    [
      'another site may read the response',
      !isPublic && ['*', EVIL_ORIGIN, 'null'].includes(getHeader('access-control-allow-origin')),
    ],
    ['shared caches may store the response', !isPage && !/no-store|no-cache|private/.test(getHeader('cache-control'))],
    ['the request failed', answer.status >= 500],
  ]
}

async function checkHeaders(browser: VisitorWithAddress, url: string): Promise<Verdict> {
  const headers = { origin: EVIL_ORIGIN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const answers = [await browser.navigate(url), await browser.fetch(url, { headers })]
  const problem = answers
    .flatMap((answer) => checkHeaderRules(answer, PUBLIC_DOCUMENT.test(url)))
    .find(([, isBroken]) => isBroken)
  return problem === undefined || problem[0]
}

export const headerAttacks = {
  name: 'headers and framing',
  guarantee: 'no page can be framed, and no response can be read by another site or sniffed as another type',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const { PORTAL_ORIGIN, PROVIDER_ORIGIN, PAYMENT_ORIGIN } = environment.env
    const { browser } = await environment.createMember()
    const urls = [
      ...PORTAL_PATHS.map((path) => PORTAL_ORIGIN + path),
      ...[...PROVIDER_PAGE_PATHS, ...PROVIDER_DATA_PATHS].map((path) => PROVIDER_ORIGIN + path),
      ...CARD_HOST_PATHS.map((path) => PAYMENT_ORIGIN + path),
    ]
    await attempts.tryEach('the headers of', urls, (url) => checkHeaders(browser, url))
  },
}
