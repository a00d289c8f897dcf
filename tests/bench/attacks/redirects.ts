import { REDIRECT_FALLBACK } from '../../../src/domain/navigation/safe-redirect.ts'
import type { RunEnvironment } from '../../../scripts/lib/secrets.ts'
import { startFlow, resolveRedirects } from '../../support/provider.ts'
import { type Attempts, expectSame, requireControl, type Verdict } from './attempts.ts'
import type { Ground } from './ground.ts'

const EVIL = 'evil.example'
/** Redirect targets that disguise the foreign host `H` as the own host `O`, run a script, or lead to a sign-in page. */
const DISGUISES = [
  ...['https://H/', 'http://H/', '//H', '///H', '////H/', '/\\H', '\\\\H', '/\t/H', '/\n/H', ' https://H/', 'https:H'],
  ...['https:/H', 'https:///H', 'https:\\\\H', 'https://O@H/', 'https://O:80@H/', 'https://O%40H/', 'https://@H/'],
  ...[
    'https://O\\@H/',
    'https://H\\@O/',
    'https://H#@O/',
    'https://H?@O/',
    'https://H/O',
    'https://H/?O',
    'https://H/#O',
  ],
  ...[
    'https://O.H/',
    'https://O-H/',
    'https://H.',
    'https://H:443/',
    'https://H:8443/',
    'https://O:8443/',
    'https://O./',
  ],
  ...[
    'https://xO/',
    'https://x-O/',
    'https://O%00.H/',
    'https://O%2f.H/',
    'https://O%5c.H/',
    'https://O。H/',
    'https://O／H',
  ],
  ...[
    'https://Ｏ.H/',
    'https://O%E3%80%82H/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
  ],
  ...['javascript:alert(1)//O', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', 'data:text/html,O', 'blob:https://O/x'],
  ...['vbscript:O', 'file:///etc/passwd', 'ftp://O/', 'ws://O/', 'about:blank', 'view-source:https://O', 'mailto:a@O'],
  ...['/.//H', '/..//H', '/%2e//H', '/./\\H', '/%09/H', '/%5cH', '/%2f%2fH', '/live/..//H', '/;@H', '/:80@H', '//O@H'],
  ...[
    '/user/login',
    '/user/logout',
    '/user/callback?redirect_uri=//H',
    '/USER/login',
    '/%75ser/login',
    '/./user/login',
  ],
  ...['/user%2Flogin', '/live/../user/logout', '/user', '?url=https://H/', '#https://H/', '.', '..', '', 'H', 'H/O'],
] as const

function listed(env: RunEnvironment, target: string): boolean {
  const url = new URL(target, env.PORTAL_ORIGIN)
  if ([env.PORTAL_ORIGIN, env.PROVIDER_ORIGIN, env.PAYMENT_ORIGIN].includes(url.origin)) return true
  const isOwn = [env.OWN_DOMAIN, env.PAYMENT_DOMAIN].some(
    (domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`),
  )
  return isOwn && url.protocol === 'https:' && url.port === '' && url.username === ''
}

const listTargets = (env: RunEnvironment): string[] => {
  const owns = [env.OWN_DOMAIN, env.PAYMENT_DOMAIN, new URL(env.PORTAL_ORIGIN).host]
  const written = owns.flatMap((own) =>
    DISGUISES.map((disguise) => disguise.replaceAll('H', EVIL).replaceAll('O', own)),
  )
  const nested = ['https://O/', '/live'].flatMap((path) => [`${path}?url=https://${EVIL}/`, `${path}#//${EVIL}`])
  return [...new Set([...written, ...nested.map((url) => url.replaceAll('O', env.OWN_DOMAIN)), 'a'.repeat(9000)])]
}

/**
 * Passes if there is no `Location` header, or if the header, resolved against the portal as in a browser, names a
 * listed host.
 */
const staysHere = (env: RunEnvironment, location: string | null): Verdict =>
  location === null || listed(env, location) || `it led to ${location}`

async function tryRedirect(attempts: Attempts, ground: Ground, targets: readonly string[]): Promise<void> {
  const browser = ground.person()
  const go = (query: string) => browser.navigate(`/api/redirect?${query}`)
  const own = await go(`url=${encodeURIComponent(`${ground.env.PORTAL_ORIGIN}/live`)}`)
  requireControl('an own page', expectSame(own.headers.get('location'), `${ground.env.PORTAL_ORIGIN}/live`))
  await attempts.each('/api/redirect to', targets, async (target) =>
    staysHere(ground.env, (await go(`url=${encodeURIComponent(target)}`)).headers.get('location')),
  )
  const twice = [`url=/live&url=https://${EVIL}/`, `url[]=https://${EVIL}/`, `URL=https://${EVIL}/`, 'url', '']
  await attempts.each('/api/redirect with', twice, async (query) =>
    expectSame((await go(query)).headers.get('location'), REDIRECT_FALLBACK),
  )
}

async function tryReturns(attempts: Attempts, ground: Ground, targets: readonly string[]): Promise<void> {
  const { browser } = await ground.member('Home of the visitor')
  const foreign = targets.filter((target) => !target.startsWith('/') || new URL(target, 'https://a').host !== 'a')
  requireControl('there are foreign pages', expectSame(foreign.length > 100, true))
  // Each start of a card page or sign-in counts against the visitor's rate limit, so only about 40 targets are tried.
  const every = Math.ceil(foreign.length / 40)
  const some = foreign.filter((target, n) => target !== '' && n % every === 0)
  await attempts.each('a card page that returns to', some, async (return_to) => {
    const { status } = await browser.post('/api/payment/start', { return_to })
    return expectSame(status, 400)
  })
  await attempts.each('a sign-in that returns to', some, async (state) => {
    const { status } = await browser.post('/api/auth/authorize', { state, kount_session_id: 'k' })
    return expectSame(status, 400)
  })
}

/** Tries redirect URIs and authorization requests that would send an authorization code to another host. */
async function tryRedirectUris(attempts: Attempts, { env, person }: Ground): Promise<void> {
  const right = `${env.PORTAL_ORIGIN}/api/auth/callback`
  const host = new URL(env.PORTAL_ORIGIN).host
  const uris = [
    ...[`https://${EVIL}/`, `${right}/`, `${right}?a=1`, `${right}#a`, `${right}/../x`, `${right}%00`, ` ${right}`],
    ...[right.toUpperCase(), right.replace('http:', 'https:'), right.replace('localhost', '127.0.0.1'), `//${host}`],
    ...[
      right.replace('//', `//${EVIL}@`),
      right.replace(host, `${host}.${EVIL}`),
      'javascript:alert(1)',
      'about:blank',
    ],
    ...[
      right.replace('callback', 'CALLBACK'),
      right.replace('/api/', '//api/'),
      env.PORTAL_ORIGIN,
      `${right}\\@${EVIL}`,
    ],
  ]
  await attempts.each('a redirect_uri', uris, async (redirect_uri) => {
    const { at, answer } = await resolveRedirects(person(), env, startFlow(env, { redirect_uri }).url)
    const { status = 302 } = answer ?? {}
    return (at.origin === env.PROVIDER_ORIGIN && status >= 400 && status < 500) || `${status} at ${at.href}`
  })
  const flows = [
    { client_id: EVIL },
    { response_type: 'token' },
    { response_type: 'id_token' },
    { response_mode: 'form_post' },
  ]
  const weak = [{ code_challenge: '' }, { code_challenge_method: 'plain' }, { request_uri: `https://${EVIL}/` }]
  await attempts.each('an authorization with', [...flows, ...weak], async (change) => {
    const { at, answer } = await resolveRedirects(person(), env, startFlow(env, change as Record<string, string>).url)
    if (at.searchParams.has('code') || at.hash.includes('token')) return `it led to ${at.href}`
    return answer === null ? staysHere(env, at.href) : answer.status < 500 || `got ${answer.status}`
  })
}

export const redirects = {
  name: 'redirects',
  promise: 'no redirect leads to a host that is not listed',
  async run(attempts: Attempts, ground: Ground) {
    const targets = listTargets(ground.env)
    await tryRedirect(attempts, ground, targets)
    await tryReturns(attempts, ground, targets)
    await tryRedirectUris(attempts, ground)
  },
}
