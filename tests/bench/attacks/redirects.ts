import { REDIRECT_FALLBACK } from '../../../src/domain/navigation/safe-redirect.ts'
import type { RunEnvironment } from '../../../scripts/lib/secrets.ts'
import { startFlow, resolveRedirects } from '../../support/provider.ts'
import { type Attempts, expectEqual, requireControl, type Verdict } from './attempts.ts'
import type { AttackEnvironment } from './attack-environment.ts'

const EVIL_HOST = 'evil.example'
/**
 * Redirect targets. `H`: a foreign host. `O`: a host of Porchlight. Most targets disguise `H` as `O`. Others use
 * another scheme, are malformed, or name a sign-in or sign-out page.
 */
const DISGUISED_URLS = [
  'https://H/',
  'http://H/',
  '//H',
  '///H',
  '////H/',
  '/\\H',
  '\\\\H',
  '/\t/H',
  '/\n/H',
  ' https://H/',
  'https:H',
  'https:/H',
  'https:///H',
  'https:\\\\H',
  'https://O@H/',
  'https://O:80@H/',
  'https://O%40H/',
  'https://@H/',
  'https://O\\@H/',
  'https://H\\@O/',
  'https://H#@O/',
  'https://H?@O/',
  'https://H/O',
  'https://H/?O',
  'https://H/#O',
  'https://O.H/',
  'https://O-H/',
  'https://H.',
  'https://H:443/',
  'https://H:8443/',
  'https://O:8443/',
  'https://O./',
  'https://xO/',
  'https://x-O/',
  'https://O%00.H/',
  'https://O%2f.H/',
  'https://O%5c.H/',
  'https://O。H/',
  'https://O／H',
  'https://Ｏ.H/',
  'https://O%E3%80%82H/',
  'https://[::1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://127.1/',
  'javascript:alert(1)//O',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,O',
  'blob:https://O/x',
  'vbscript:O',
  'file:///etc/passwd',
  'ftp://O/',
  'ws://O/',
  'about:blank',
  'view-source:https://O',
  'mailto:a@O',
  '/.//H',
  '/..//H',
  '/%2e//H',
  '/./\\H',
  '/%09/H',
  '/%5cH',
  '/%2f%2fH',
  '/live/..//H',
  '/;@H',
  '/:80@H',
  '//O@H',
  '/user/login',
  '/user/logout',
  '/user/callback?redirect_uri=//H',
  '/USER/login',
  '/%75ser/login',
  '/./user/login',
  '/user%2Flogin',
  '/live/../user/logout',
  '/user',
  '?url=https://H/',
  '#https://H/',
  '.',
  '..',
  '',
  'H',
  'H/O',
] as const

function isListedHost(env: RunEnvironment, target: string): boolean {
  const url = new URL(target, env.PORTAL_ORIGIN)
  if ([env.PORTAL_ORIGIN, env.PROVIDER_ORIGIN, env.PAYMENT_ORIGIN].includes(url.origin)) return true
  const isOwn = [env.OWN_DOMAIN, env.PAYMENT_DOMAIN].some(
    (domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`),
  )
  return isOwn && url.protocol === 'https:' && url.port === '' && url.username === ''
}

const listTargets = (env: RunEnvironment): string[] => {
  const ownHosts = [env.OWN_DOMAIN, env.PAYMENT_DOMAIN, new URL(env.PORTAL_ORIGIN).host]
  const disguised = ownHosts.flatMap((own) =>
    DISGUISED_URLS.map((disguise) => disguise.replaceAll('H', EVIL_HOST).replaceAll('O', own)),
  )
  const nested = ['https://O/', '/live'].flatMap((path) => [
    `${path}?url=https://${EVIL_HOST}/`,
    `${path}#//${EVIL_HOST}`,
  ])
  return [...new Set([...disguised, ...nested.map((url) => url.replaceAll('O', env.OWN_DOMAIN)), 'a'.repeat(9000)])]
}

const expectListedHost = (env: RunEnvironment, location: string | null): Verdict =>
  location === null || isListedHost(env, location) || `redirected to ${location}`

async function tryRedirect(
  attempts: Attempts,
  environment: AttackEnvironment,
  targets: readonly string[],
): Promise<void> {
  const browser = environment.createVisitor()
  const requestRedirect = (query: string) => browser.navigate(`/api/redirect?${query}`)
  const own = await requestRedirect(`url=${encodeURIComponent(`${environment.env.PORTAL_ORIGIN}/live`)}`)
  requireControl('an own page', expectEqual(own.headers.get('location'), `${environment.env.PORTAL_ORIGIN}/live`))
  await attempts.tryEach('/api/redirect to', targets, async (target) =>
    expectListedHost(
      environment.env,
      (await requestRedirect(`url=${encodeURIComponent(target)}`)).headers.get('location'),
    ),
  )
  const malformedQueries = [
    `url=/live&url=https://${EVIL_HOST}/`,
    `url[]=https://${EVIL_HOST}/`,
    `URL=https://${EVIL_HOST}/`,
    'url',
    '',
  ]
  await attempts.tryEach('/api/redirect with', malformedQueries, async (query) =>
    expectEqual((await requestRedirect(query)).headers.get('location'), REDIRECT_FALLBACK),
  )
}

async function tryReturnUrls(
  attempts: Attempts,
  environment: AttackEnvironment,
  targets: readonly string[],
): Promise<void> {
  const { browser } = await environment.createMember('Home of the visitor')
  const foreign = targets.filter((target) => !target.startsWith('/') || new URL(target, 'https://a').host !== 'a')
  requireControl('there are foreign pages', expectEqual(foreign.length > 100, true))
  // Each request counts against the visitor's rate limit, so each attack below tries at most 40 targets.
  const sampleStep = Math.ceil(foreign.length / 40)
  const sampledTargets = foreign.filter((target, n) => target !== '' && n % sampleStep === 0)
  await attempts.tryEach('a card page that returns to', sampledTargets, async (return_to) => {
    const { status } = await browser.post('/api/payment/start', { return_to })
    return expectEqual(status, 400)
  })
  await attempts.tryEach('a sign-in that returns to', sampledTargets, async (state) => {
    const { status } = await browser.post('/api/auth/authorize', { state, kount_session_id: 'k' })
    return expectEqual(status, 400)
  })
}

/**
 * Tries unregistered redirect URIs, then authorization requests with changed parameters. The provider must not issue a
 * code or token for any of these requests.
 */
async function tryRedirectUris(attempts: Attempts, { env, createVisitor }: AttackEnvironment): Promise<void> {
  const callbackUrl = `${env.PORTAL_ORIGIN}/api/auth/callback`
  const host = new URL(env.PORTAL_ORIGIN).host
  const uris = [
    `https://${EVIL_HOST}/`,
    `${callbackUrl}/`,
    `${callbackUrl}?a=1`,
    `${callbackUrl}#a`,
    `${callbackUrl}/../x`,
    `${callbackUrl}%00`,
    ` ${callbackUrl}`,
    callbackUrl.toUpperCase(),
    callbackUrl.replace('http:', 'https:'),
    callbackUrl.replace('localhost', '127.0.0.1'),
    `//${host}`,
    callbackUrl.replace('//', `//${EVIL_HOST}@`),
    callbackUrl.replace(host, `${host}.${EVIL_HOST}`),
    'javascript:alert(1)',
    'about:blank',
    callbackUrl.replace('callback', 'CALLBACK'),
    callbackUrl.replace('/api/', '//api/'),
    env.PORTAL_ORIGIN,
    `${callbackUrl}\\@${EVIL_HOST}`,
  ]
  await attempts.tryEach('a redirect_uri', uris, async (redirect_uri) => {
    const { url: pageUrl, answer } = await resolveRedirects(createVisitor(), env, startFlow(env, { redirect_uri }).url)
    const { status = 302 } = answer ?? {}
    return (pageUrl.origin === env.PROVIDER_ORIGIN && status >= 400 && status < 500) || `${status} at ${pageUrl.href}`
  })
  const flows = [
    { client_id: EVIL_HOST },
    { response_type: 'token' },
    { response_type: 'id_token' },
    { response_mode: 'form_post' },
  ]
  const weakFlows = [
    { code_challenge: '' },
    { code_challenge_method: 'plain' },
    { request_uri: `https://${EVIL_HOST}/` },
  ]
  await attempts.tryEach('an authorization with', [...flows, ...weakFlows], async (change) => {
    const { url: pageUrl, answer } = await resolveRedirects(
      createVisitor(),
      env,
      startFlow(env, change as Record<string, string>).url,
    )
    if (pageUrl.searchParams.has('code') || pageUrl.hash.includes('token')) return `redirected to ${pageUrl.href}`
    return answer === null ? expectListedHost(env, pageUrl.href) : answer.status < 500 || `got ${answer.status}`
  })
}

export const redirectAttacks = {
  name: 'redirects',
  guarantee: 'no redirect leads to a host that is not listed',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const targets = listTargets(environment.env)
    await tryRedirect(attempts, environment, targets)
    await tryReturnUrls(attempts, environment, targets)
    await tryRedirectUris(attempts, environment)
  },
}
