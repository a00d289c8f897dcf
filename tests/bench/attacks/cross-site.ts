import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import { formatGatewayPath, hasQueryPayload } from '../../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { CARD_RETURN_PATH } from '../../../contract/billing/payment-calls.ts'
import { startSignIn } from '../../support/sign-in-walk.ts'
import type { VisitorWithAddress } from '../../support/visitor.ts'
import { type Attempts, expectEqual, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendCall, type AttackEnvironment, PASSWORD, getPageHeaders } from './attack-environment.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'

type HeaderChange = Readonly<Record<string, string | null>>
const EVIL_ORIGIN = 'https://evil.example'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Header changes that turn a request of the portal's own pages into a request that the portal must reject. Null removes
 * a header.
 */
const READ_VECTORS: Readonly<Record<string, HeaderChange>> = {
  'a fetch': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  'an image request from another host of the site': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  'a foreign origin': { origin: EVIL_ORIGIN },
  'the null origin of a sandboxed frame': { origin: 'null' },
}
const WRITE_VECTORS: Readonly<Record<string, HeaderChange>> = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'another host of the site': { 'sec-fetch-site': 'same-site' },
  'Sec-Fetch-Site: none': { 'sec-fetch-site': 'none' },
  'a foreign origin': { origin: EVIL_ORIGIN },
  'no origin': { origin: null, 'sec-fetch-site': null },
  'no XSRF header': { [XSRF_HEADER]: null },
  'a wrong XSRF header': { [XSRF_HEADER]: 'A'.repeat(22) },
  'a text/plain body': { 'content-type': 'text/plain' },
  'a form without Sec-Fetch-Site': { 'content-type': FORM_TYPE, [XSRF_HEADER]: null, 'sec-fetch-site': null },
}

const OWN_ROUTES = [
  'GET /api/auth/me',
  'GET /api/auth/sessions',
  'GET /api/auth/sign-up-status',
  'POST /api/auth/authorize',
  'POST /api/auth/refresh',
  'POST /api/auth/logout',
  'POST /api/auth/sessions/end',
  'POST /api/payment/start',
  'POST /api/payment/return',
]

const listRoutes = (): string[] => {
  const calls = GATEWAY_CALLS.map((call) => {
    const params = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']))
    return `${call.method} ${formatGatewayPath(call, params)}`
  })
  return [...new Set([...OWN_ROUTES, ...calls])]
}

const applyHeaderChange = (own: Readonly<Record<string, string>>, change: HeaderChange): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...own, ...change }).filter((pair): pair is [string, string] => pair[1] !== null))

async function expectCsrfError(answer: Response): Promise<Verdict> {
  const text = await answer.text()
  return (answer.status === 403 && text.includes('"code":"csrf"')) || `got ${answer.status} ${text.slice(0, 100)}`
}

async function tryPortal(attempts: Attempts, browser: VisitorWithAddress): Promise<void> {
  const ownHeaders = { ...getPageHeaders(browser), 'sec-fetch-mode': 'cors' }
  for (const route of listRoutes()) {
    const [method = '', path = ''] = route.split(' ')
    const isRead = hasQueryPayload(method)
    const vectors = Object.entries(isRead ? READ_VECTORS : WRITE_VECTORS)
    await attempts.tryEach(route, vectors, async ([, change]) => {
      const headers = applyHeaderChange(isRead ? { 'sec-fetch-site': 'same-origin' } : ownHeaders, change)
      return expectCsrfError(await browser.fetch(path, { method, headers, ...(isRead ? {} : { body: '{}' }) }))
    })
  }
}

interface AccountForm {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Text of the page that the provider serves after it has accepted the form. */
  readonly successPattern: RegExp
}

const NEW_PASSWORD = 'seven red kites at noon'
/**
 * Account forms of the provider's own pages. All passwords are correct, so the provider can reject a form only because
 * of its sender.
 */
const ACCOUNT_FORMS: readonly AccountForm[] = [
  { path: '/account/second-factor', fields: { step: 'begin', password: PASSWORD }, successPattern: /class="mono"/ },
  { path: '/account/delete', fields: { step: 'prove', password: PASSWORD }, successPattern: /value="delete"/ },
  { path: '/account/forgotten', fields: { email: 'owner@example.com' }, successPattern: /has an account, we/ },
  {
    path: '/account/create',
    fields: { email: 'planted@example.com', password: 'seven red kites at noon' },
    successPattern: /step=email/,
  },
  {
    path: '/account/password',
    fields: { old: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD },
    successPattern: /Password changed\./,
  },
]
const CROSS_SITE_HEADERS: readonly HeaderChange[] = [
  { origin: EVIL_ORIGIN, 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { origin: null, 'sec-fetch-site': 'cross-site' },
  { origin: null, 'sec-fetch-site': 'same-site' },
]

/**
 * The provider ignores a form from another site and serves the page as for a GET request. Only the page text shows
 * whether it accepted the form.
 */
async function tryProviderForms(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const { browser } = await environment.createMember('Home of the victim')
  for (const { path, fields, successPattern: accepted } of ACCOUNT_FORMS) {
    const post = async (sender: HeaderChange) => {
      const headers = applyHeaderChange({ 'content-type': FORM_TYPE }, sender)
      const body = new URLSearchParams(fields).toString()
      return (await browser.fetch(environment.env.PROVIDER_ORIGIN + path, { method: 'POST', body, headers })).text()
    }
    await attempts.tryEach(`a form at ${path} from`, CROSS_SITE_HEADERS, async (sender) =>
      expectEqual(accepted.test(await post(sender)), false),
    )
    const own = await post({ origin: environment.env.PROVIDER_ORIGIN, 'sec-fetch-site': 'same-origin' })
    requireControl(`an own form at ${path}`, expectEqual(accepted.test(own), true))
  }
}

async function tryCardPage(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const wallet = new URLSearchParams({ do: 'wallet', wallet: 'pays' }).toString()
  await attempts.tryEach('a form at the card page from', CROSS_SITE_HEADERS, async (sender) => {
    const { browser } = await environment.createMember('Home of the victim')
    const started = await browser.post('/api/payment/start', { return_to: CARD_RETURN_PATH })
    await browser.navigate(((await started.json()) as { url: string }).url)
    const headers = applyHeaderChange({ 'content-type': FORM_TYPE }, sender)
    await browser.fetch(`${environment.env.PAYMENT_ORIGIN}/card`, { method: 'POST', body: wallet, headers })
    return expectStatus(await browser.post('/api/payment/return'), 409)
  })
}

/** Sends calls with only the provider's cookie. Each call must return 401, because it requires an access token. */
async function tryProviderCalls(
  attempts: Attempts,
  environment: AttackEnvironment,
  browser: VisitorWithAddress,
): Promise<void> {
  await attempts.tryEach('a call to the provider with only its cookie', GATEWAY_CALLS, async ({ method, path }) => {
    const url = environment.env.PROVIDER_ORIGIN + path.replaceAll(/\{\w+\}/g, 'x')
    const body = hasQueryPayload(method) ? {} : { body: '{}' }
    const headers = { 'content-type': 'text/plain', origin: EVIL_ORIGIN, 'sec-fetch-site': 'cross-site' }
    const answer = await browser.fetch(url, { method, headers, ...body })
    const allowed = answer.headers.get('access-control-allow-origin')
    if (allowed === '*' || allowed === EVIL_ORIGIN) return `another site may read the response: ${allowed}`
    return expectStatus(answer, 401)
  })
}

/**
 * Opens links to which another site could navigate the victim. One example is the callback URL of the attacker's own
 * sign-in, which would sign the victim in as the attacker.
 */
async function tryLinks(
  attempts: Attempts,
  environment: AttackEnvironment,
  browser: VisitorWithAddress,
): Promise<void> {
  const attacker = environment.createVisitor()
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
  await attempts.tryEach(
    'a link',
    [...links, ...callbacks.map((query) => `/api/auth/callback${query}`)],
    async (link) => {
      const answer = await browser.navigate(link)
      if (answer.status >= 500) return `got ${answer.status}`
      return expectStatus(await browser.get('/api/auth/me'), 200)
    },
  )
}

/** Sends the requests that a page of another site can send with a signed-in user's cookies. */
export const crossSiteAttacks = {
  name: 'cross-site requests',
  guarantee: 'requests that another site sends for a signed-in user have no effect',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const { browser } = await environment.createMember('Home of the victim')
    requireControl('a request of an own page succeeds', await expectStatus(await sendCall(browser, getHomes), 200))
    await tryPortal(attempts, browser)
    await tryProviderForms(attempts, environment)
    await tryCardPage(attempts, environment)
    await tryProviderCalls(attempts, environment, browser)
    await tryLinks(attempts, environment, browser)
    await attempts.try('the session after all attacks', XSRF_COOKIE, async () =>
      expectStatus(await sendCall(browser, getHomes), 200),
    )
  },
}
