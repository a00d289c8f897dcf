import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import { gatewayPath, isInQuery } from '../../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { CARD_RETURN_PATH } from '../../../contract/billing/payment-calls.ts'
import { startSignIn } from '../../support/sign-in-walk.ts'
import type { Person } from '../../support/visitor.ts'
import { type Attempts, expectSame, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendCall, type Ground, PASSWORD, pageHeaders } from './ground.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'

type Change = Readonly<Record<string, string | null>>
const EVIL = 'https://evil.example'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Cross-site requests, each described by the headers that differ from those of the portal's own pages; null removes a
 * header.
 */
const READS: Readonly<Record<string, Change>> = {
  'a fetch': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  'a picture of another host of the site': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  'a foreign origin': { origin: EVIL },
  'the origin of a sandbox': { origin: 'null' },
}
const WRITES: Readonly<Record<string, Change>> = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'another host of the site': { 'sec-fetch-site': 'same-site' },
  'no site': { 'sec-fetch-site': 'none' },
  'a foreign origin': { origin: EVIL },
  'no origin': { origin: null, 'sec-fetch-site': null },
  'no XSRF header': { [XSRF_HEADER]: null },
  'another XSRF header': { [XSRF_HEADER]: 'A'.repeat(22) },
  'a text': { 'content-type': 'text/plain' },
  'a form that no browser vouches for': { 'content-type': FORM_TYPE, [XSRF_HEADER]: null, 'sec-fetch-site': null },
}

const OWN_ROUTES = [
  ...['GET /api/auth/me', 'GET /api/auth/sessions', 'POST /api/auth/authorize', 'POST /api/auth/refresh'],
  ...['POST /api/auth/logout', 'POST /api/auth/sessions/end', 'POST /api/payment/start', 'POST /api/payment/return'],
]

const routes = (): string[] => {
  const calls = GATEWAY_CALLS.map((call) => {
    const params = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']))
    return `${call.method} ${gatewayPath(call, params)}`
  })
  return [...new Set([...OWN_ROUTES, ...calls])]
}

const changed = (own: Readonly<Record<string, string>>, change: Change): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...own, ...change }).filter((pair): pair is [string, string] => pair[1] !== null))

async function expectCsrf(answer: Response): Promise<Verdict> {
  const text = await answer.text()
  return (answer.status === 403 && text.includes('"code":"csrf"')) || `got ${answer.status} ${text.slice(0, 100)}`
}

async function tryPortal(attempts: Attempts, browser: Person): Promise<void> {
  const own = { ...pageHeaders(browser), 'sec-fetch-mode': 'cors' }
  for (const route of routes()) {
    const [method = '', path = ''] = route.split(' ')
    const isRead = isInQuery(method)
    const vectors = Object.entries(isRead ? READS : WRITES)
    await attempts.each(route, vectors, async ([, change]) => {
      const headers = changed(isRead ? { 'sec-fetch-site': 'same-origin' } : own, change)
      return expectCsrf(await browser.fetch(path, { method, headers, ...(isRead ? {} : { body: '{}' }) }))
    })
  }
}

interface AccountForm {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Text of the page after it has accepted the form. */
  readonly taken: RegExp
}

const NEW = 'seven red kites at noon'
/**
 * Forms of the provider's own pages that act on an account. The passwords are right, so only the sender of the form can
 * be wrong.
 */
const FORMS: readonly AccountForm[] = [
  { path: '/account/second-factor', fields: { step: 'begin', password: PASSWORD }, taken: /class="mono"/ },
  { path: '/account/delete', fields: { step: 'prove', password: PASSWORD }, taken: /value="delete"/ },
  { path: '/account/forgotten', fields: { email: 'owner@example.com' }, taken: /has an account here/ },
  { path: '/account/password', fields: { old: PASSWORD, password: NEW, repeat: NEW }, taken: /password is changed/ },
]
const SENDERS: readonly Change[] = [
  { origin: EVIL, 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { origin: null, 'sec-fetch-site': 'cross-site' },
  { origin: null, 'sec-fetch-site': 'same-site' },
]

/**
 * If a form comes from another site, the page ignores it and responds as to a visit, so only the page text shows if the
 * form was accepted.
 */
async function tryProviderForms(attempts: Attempts, ground: Ground): Promise<void> {
  const { browser } = await ground.member('Home of the victim')
  for (const { path, fields, taken: accepted } of FORMS) {
    const post = async (sender: Change) => {
      const headers = changed({ 'content-type': FORM_TYPE }, sender)
      const body = new URLSearchParams(fields).toString()
      return (await browser.fetch(ground.env.PROVIDER_ORIGIN + path, { method: 'POST', body, headers })).text()
    }
    await attempts.each(`a form at ${path} from`, SENDERS, async (sender) =>
      expectSame(accepted.test(await post(sender)), false),
    )
    const own = await post({ origin: ground.env.PROVIDER_ORIGIN, 'sec-fetch-site': 'same-origin' })
    requireControl(`an own form at ${path}`, expectSame(accepted.test(own), true))
  }
}

async function tryCardPage(attempts: Attempts, ground: Ground): Promise<void> {
  const wallet = new URLSearchParams({ do: 'wallet', wallet: 'pays' }).toString()
  await attempts.each('a form at the card page from', SENDERS, async (sender) => {
    const { browser } = await ground.member('Home of the victim')
    const started = await browser.post('/api/payment/start', { return_to: CARD_RETURN_PATH })
    await browser.navigate(((await started.json()) as { url: string }).url)
    const headers = changed({ 'content-type': FORM_TYPE }, sender)
    await browser.fetch(`${ground.env.PAYMENT_ORIGIN}/card`, { method: 'POST', body: wallet, headers })
    return expectStatus(await browser.post('/api/payment/return'), 409)
  })
}

/** The provider's calls require an access token: with only the provider's cookie, each call must return 401. */
async function tryProviderCalls(attempts: Attempts, ground: Ground, browser: Person): Promise<void> {
  await attempts.each('a call at the provider with its cookie alone', GATEWAY_CALLS, async ({ method, path }) => {
    const address = ground.env.PROVIDER_ORIGIN + path.replaceAll(/\{\w+\}/g, 'x')
    const body = isInQuery(method) ? {} : { body: '{}' }
    const headers = { 'content-type': 'text/plain', origin: EVIL, 'sec-fetch-site': 'cross-site' }
    const answer = await browser.fetch(address, { method, headers, ...body })
    const allowed = answer.headers.get('access-control-allow-origin')
    if (allowed === '*' || allowed === EVIL) return `another site may read the answer: ${allowed}`
    return expectStatus(answer, 401)
  })
}

/**
 * Opens links that another site could make the victim follow, such as the callback URL of the attacker's sign-in, which
 * would sign the victim in as the attacker.
 */
async function tryLinks(attempts: Attempts, ground: Ground, browser: Person): Promise<void> {
  const attacker = ground.person()
  const signInUrl = await startSignIn(attacker, '/live')
  const state = signInUrl.searchParams.get('state') ?? ''
  const links = [
    '/user/logout',
    '/api/auth/logout',
    '/api/auth/sessions/end',
    '/api/auth/refresh',
    '/api/payment/return',
  ]
  const callbacks = ['', `?code=x&state=${state}`, `?error=access_denied&state=${state}`, '?code=x&state=%2Flive']
  await attempts.each('a link', [...links, ...callbacks.map((query) => `/api/auth/callback${query}`)], async (link) => {
    const answer = await browser.navigate(link)
    if (answer.status >= 500) return `got ${answer.status}`
    return expectStatus(await browser.get('/api/auth/me'), 200)
  })
}

/** Requests that another site's page can send for a signed-in user. */
export const crossSite = {
  name: 'cross-site requests',
  promise: 'another site can send for a visitor, and nothing of it is done',
  async run(attempts: Attempts, ground: Ground) {
    const { browser } = await ground.member('Home of the victim')
    requireControl('an own page is answered', await expectStatus(await sendCall(browser, getHomes), 200))
    await tryPortal(attempts, browser)
    await tryProviderForms(attempts, ground)
    await tryCardPage(attempts, ground)
    await tryProviderCalls(attempts, ground, browser)
    await tryLinks(attempts, ground, browser)
    await attempts.try('the session after all of it', XSRF_COOKIE, async () =>
      expectStatus(await sendCall(browser, getHomes), 200),
    )
  },
}
