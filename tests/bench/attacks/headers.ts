import type { Person } from '../../support/visitor.ts'
import type { Attempts, Verdict } from './attempts.ts'
import type { Ground } from './ground.ts'

const EVIL = 'https://evil.example'
const PAGES = ['/', '/live', '/events', '/account/services', '/account/products/choose', '/redeem', '/user/login']
const PORTAL = [...PAGES, '/user/logout', '/nowhere', '/healthz', '/api/auth/me', '/api/nowhere', '/m/thumb/none']
const PROVIDER = ['/account/password', '/account/second-factor', '/account/passkeys', '/account/forgotten', '/mail']
const DATA = [
  '/nowhere',
  '/healthz',
  '/oauth/jwks',
  '/.well-known/openid-configuration',
  '/api/v2/user/me',
  '/media/clip/x',
]
const CARD = ['/card', '/healthz', '/nowhere', '/']

/** OpenID Connect documents, which contain no personal data. */
const PUBLIC = /\/oauth\/jwks$|\/openid-configuration$/

/** Checks one response. Returns an entry per rule: the problem, and true if the response has this problem. */
function wrongs(answer: Response, isPublic: boolean): readonly (readonly [string, boolean])[] {
  const of = (name: string) => answer.headers.get(name) ?? ''
  const policy = of('content-security-policy')
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
  const isPage = of('content-type').startsWith('text/html')
  return [
    ['any site may frame it', !/frame-ancestors 'none'/.test(policy)],
    ['its policy allows everything by default', !/default-src '(none|self)'/.test(policy)],
    ['its policy allows inline scripts', /'unsafe-inline'|'unsafe-eval'|\*|data:/.test(scripts)],
    ['its policy allows another base address', isPage && !/base-uri '(none|self)'/.test(policy)],
    ['its type may be guessed', of('x-content-type-options') !== 'nosniff'],
    ['it sends its address to other sites', !/^(no-referrer|same-origin|strict-origin)/.test(of('referrer-policy'))],
    ['another site may read it', !isPublic && ['*', EVIL, 'null'].includes(of('access-control-allow-origin'))],
    ['caches may keep it', !isPage && !/no-store|no-cache|private/.test(of('cache-control'))],
    ['it failed', answer.status >= 500],
  ]
}

async function checkHeaders(browser: Person, address: string): Promise<Verdict> {
  const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const answers = [await browser.navigate(address), await browser.fetch(address, { headers })]
  const found = answers.flatMap((answer) => wrongs(answer, PUBLIC.test(address))).find(([, isWrong]) => isWrong)
  return found === undefined || found[0]
}

export const headers = {
  name: 'headers and framing',
  promise: 'no answer can be framed, read by another site, or taken for another type',
  async run(attempts: Attempts, ground: Ground) {
    const { PORTAL_ORIGIN, PROVIDER_ORIGIN, PAYMENT_ORIGIN } = ground.env
    const { browser } = await ground.member()
    const addresses = [
      ...PORTAL.map((path) => PORTAL_ORIGIN + path),
      ...[...PROVIDER, ...DATA].map((path) => PROVIDER_ORIGIN + path),
      ...CARD.map((path) => PAYMENT_ORIGIN + path),
    ]
    await attempts.each('the headers of', addresses, (address) => checkHeaders(browser, address))
  },
}
