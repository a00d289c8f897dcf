import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { userMe, userStatus } from '../../../contract/auth/user-calls.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'
import type { Env } from '../../../provider/env.ts'
import {
  startFlow,
  exchangeCode,
  resolveRedirects,
  createNonceAt,
  refreshTokens,
  sendCallAsEdge,
  submitForm,
  type Tokens,
} from '../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { addQuickAccount } from '../../support/quick-accounts.ts'
import { Visitor } from '../../support/visitor.ts'

const PASSWORD = 'correct horse'
let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ DEMO: '0' }) })
})
afterAll(() => deployment.close())

const createVisitor = () => new Visitor(deployment.env.PORTAL_ORIGIN)
const getDatabase = async () => ((await deployment.provider.getWorker().getEnv()) as Env).DB
const parseProblem = (html: string) => /role="alert">(?:<svg[^]*?<\/svg>)?(?:<span>)?([^<]*)</.exec(html)?.[1]
const readJson = async (answer: Response) => (await answer.json()) as Record<string, unknown>

function sendAdminRequest(
  method: string,
  path: string,
  body?: object,
  key = deployment.env.ADMIN_KEY,
): Promise<Response> {
  return fetch(deployment.env.PROVIDER_ORIGIN + path, {
    method,
    headers: { authorization: `Admin ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  })
}
async function fetchSetupCode(): Promise<string | null> {
  return ((await readJson(await sendAdminRequest('GET', ADMIN_PATHS.setup)))['data'] as { setup_code: string | null })
    .setup_code
}

async function openSignInPage(visitor = createVisitor()) {
  const flow = startFlow(deployment.env)
  const { url: pageUrl, answer } = await resolveRedirects(visitor, deployment.env, flow.url)
  return { visitor, flow, pageUrl, html: (await answer?.text()) ?? '' }
}

/** Signs in with the password. Returns the tokens, or null if the sign-in page rejects the password. */
async function signIn(email: string, password: string, visitor = createVisitor()): Promise<Tokens | null> {
  const { flow, pageUrl: at } = await openSignInPage(visitor)
  const submitted = await submitForm(visitor, at, { email, password })
  const location = submitted.headers.get('location')
  if (location === null) return null
  const callback = (await resolveRedirects(visitor, deployment.env, new URL(location, at))).url
  return (await (await exchangeCode(deployment.env, callback, flow.verifier)).json()) as Tokens
}
/** Format of a password hash with the production cost. Other tests use a lower cost. */
const PRODUCTION_HASH = /^scrypt\$16384\$8\$5\$/
const readHash = async (email: string) =>
  (await getDatabase()).prepare('SELECT password_hash AS hash FROM accounts WHERE email = ?').bind(email).first('hash')
const getUserStatus = async (token: string) => (await sendCallAsEdge(deployment.env, userMe, token)).status

describe('empty provider', () => {
  const buildForm = async (change: Record<string, string> = {}) => ({
    setup_code: (await fetchSetupCode()) ?? '',
    email: 'First@Example.com ',
    password: PASSWORD,
    repeat: PASSWORD,
    ...change,
  })

  test('shows a page that creates the first account instead of the sign-in page', async () => {
    const { html } = await openSignInPage()
    expect(html).toContain('<h1>Create the first account</h1>')
    for (const label of ['Setup code', 'Email', 'Password', 'Confirm password'])
      expect(html).toContain(`>${label}</label>`)
  })

  test.each([
    ['a wrong setup code', { setup_code: 'AAAA-AAAA-AAAA' }, /setup code doesn’t match/],
    ['no setup code', { setup_code: '' }, /setup code doesn’t match/],
    ['a short password', { password: 'ninechars', repeat: 'ninechars' }, /10 to 200 characters/],
    ['a common password', { password: 'password12', repeat: 'password12' }, /too common/],
    [
      'the email address as the password',
      { password: 'first@example.com', repeat: 'first@example.com' },
      /too similar to your email/,
    ],
    ['two different passwords', { repeat: 'correct house' }, /don’t match/],
    ['no email address', { email: 'somebody' }, /valid email address/],
  ])('creates no account with %s and says why', async (_, change, sentence) => {
    const { visitor, pageUrl: at } = await openSignInPage()
    const answer = await submitForm(visitor, at, await buildForm(change))
    expect(answer.headers.get('location')).toBeNull()
    expect(parseProblem(await answer.text())).toMatch(sentence)
    expect(await fetchSetupCode()).not.toBeNull()
  })

  test('accepts its setup code once, in any spelling: concurrent attempts create one account with home and idle bridges', async () => {
    const bridge = await sendAdminRequest('PUT', `${ADMIN_PATHS.bridges}/br_1`, {
      key_hash: 'a'.repeat(64),
      name: 'Here',
    })
    expect(bridge.status).toBe(200)
    const code = (await fetchSetupCode()) ?? ''
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
    const tabs = await Promise.all([openSignInPage(), openSignInPage()])
    const filledForm = await buildForm({ setup_code: ` ${code.toLowerCase().replaceAll('-', ' ')}` })
    const answers = await Promise.all(
      tabs.map(({ visitor, pageUrl }, n) =>
        submitForm(visitor, pageUrl, { ...filledForm, email: `first${n}@example.com` }),
      ),
    )
    const winner = answers.findIndex((answer) => answer.headers.has('location'))
    expect(answers.filter((answer) => answer.headers.has('location'))).toHaveLength(1)
    expect(parseProblem((await answers[1 - winner]?.text()) ?? '')).toMatch(/first account already exists/)
    expect(await fetchSetupCode()).toBeNull()

    const { visitor, pageUrl: at, flow } = tabs[winner] ?? (await openSignInPage())
    const callback = (
      await resolveRedirects(visitor, deployment.env, new URL(answers[winner]?.headers.get('location') ?? '', at))
    ).url
    const tokens = (await (await exchangeCode(deployment.env, callback, flow.verifier)).json()) as Tokens
    const homes = await readJson(
      await sendCallAsEdge(deployment.env, getHomes, tokens.access_token, { payload: { nonce: createNonceAt() } }),
    )
    expect(JSON.stringify(homes)).toContain('"Home"')
    const DB = await getDatabase()
    expect(await DB.prepare('SELECT count(*) AS n FROM bridge_homes JOIN homes USING (home_id)').first('n')).toBe(1)
    expect((await openSignInPage()).html).toContain('<h1>Log in</h1>')
  })
})

describe('operator', () => {
  beforeAll(async () => addQuickAccount(await getDatabase(), 'taken@example.com', PASSWORD))

  test('adds, lists, changes and removes accounts', async () => {
    const added = await sendAdminRequest('POST', ADMIN_PATHS.accounts, {
      email: 'Ann@example.com',
      password: PASSWORD,
      home: 'Cabin',
    })
    expect(added.status).toBe(200)
    expect(await readHash('ann@example.com')).toMatch(PRODUCTION_HASH)
    const tokens = await signIn('ann@example.com', PASSWORD)
    await sendCallAsEdge(deployment.env, userStatus, tokens?.access_token ?? '', { payload: { source: 'login' } })
    const { accounts } = (await readJson(await sendAdminRequest('GET', ADMIN_PATHS.accounts)))['data'] as {
      accounts: object[]
    }
    expect(accounts.at(-1)).toMatchObject({
      email: 'ann@example.com',
      last_sign_in_at: expect.any(Number) as number,
      homes: [{ name: 'Cabin', role: 1 }],
    })

    const accountPath = `${ADMIN_PATHS.accounts}/${encodeURIComponent('ann@example.com')}`
    expect((await sendAdminRequest('PUT', accountPath, { password: 'password12' })).status).toBe(400)
    expect((await sendAdminRequest('PUT', accountPath, { password: 'another horse' })).status).toBe(200)
    expect(await getUserStatus(tokens?.access_token ?? '')).toBe(401)
    expect(await signIn('ann@example.com', PASSWORD)).toBeNull()
    const fresh = await signIn('ann@example.com', 'another horse')

    expect((await sendAdminRequest('DELETE', accountPath)).status).toBe(200)
    expect(await getUserStatus(fresh?.access_token ?? '')).toBe(401)
    expect(await signIn('ann@example.com', 'another horse')).toBeNull()
    expect((await sendAdminRequest('DELETE', accountPath)).status).toBe(404)
  })

  test.each([
    ['an email address that is already in use', { email: 'taken@example.com', password: PASSWORD }, 409],
    ['a short password', { email: 'b@example.com', password: 'short' }, 400],
    ['ten equal letters as the password', { email: 'b@example.com', password: 'aaaaaaaaaa' }, 400],
    ['ten spaces as the password', { email: 'b@example.com', password: ' '.repeat(10) }, 400],
    ['no email address', { email: 'somebody', password: PASSWORD }, 400],
    ['a wrong key', { email: 'c@example.com', password: PASSWORD }, 401],
  ])('adds no account with %s', async (label, body, status) => {
    const key = label === 'a wrong key' ? 'wrong' : deployment.env.ADMIN_KEY
    expect((await sendAdminRequest('POST', ADMIN_PATHS.accounts, body, key)).status).toBe(status)
  })

  test('cannot remove the last account, so that the first-account page never returns', async () => {
    const { accounts } = (await readJson(await sendAdminRequest('GET', ADMIN_PATHS.accounts)))['data'] as {
      accounts: { email: string }[]
    }
    const answers = []
    for (const { email } of accounts) answers.push(await sendAdminRequest('DELETE', `${ADMIN_PATHS.accounts}/${email}`))
    expect(answers.map(({ status }) => status)).toEqual([...accounts.slice(1).map(() => 200), 409])
    expect(await fetchSetupCode()).toBeNull()
  })
})

describe('password change', () => {
  const email = 'carl@example.com'
  const getPageUrl = () => new URL('/account/password', deployment.env.PROVIDER_ORIGIN)
  const change = (visitor: Visitor, fields: object = {}) =>
    submitForm(visitor, getPageUrl(), { old: PASSWORD, password: 'a newer horse', repeat: 'a newer horse', ...fields })

  beforeAll(async () => {
    await addQuickAccount(await getDatabase(), email, PASSWORD)
  })

  test('requires a signed-in account', async () => {
    const answer = await createVisitor().navigate(getPageUrl().href)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('Log in first')
    expect((await change(createVisitor())).status).toBe(403)
  })

  test.each([
    ['a wrong old password', { old: 'wrong' }, /That isn’t your current password/],
    ['a short new password', { password: 'short', repeat: 'short' }, /10 to 200/],
    ['a common new password', { password: 'password12', repeat: 'password12' }, /too common/],
    ['the email address as the new password', { password: email, repeat: email }, /too similar to your email/],
    ['two different new passwords', { repeat: 'a newer house' }, /don’t match/],
  ])('changes nothing with %s and says why', async (_, fields, sentence) => {
    const visitor = createVisitor()
    await signIn(email, PASSWORD, visitor)
    expect(parseProblem(await (await change(visitor, fields)).text())).toMatch(sentence)
    expect(await signIn(email, PASSWORD)).not.toBeNull()
  })

  test.each([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('rejects a form that another site sent: %j', async (senderHeaders) => {
    const visitor = createVisitor()
    await signIn(email, PASSWORD, visitor)
    await visitor.fetch(getPageUrl().href, {
      method: 'POST',
      body: new URLSearchParams({ old: PASSWORD, password: 'evil password', repeat: 'evil password' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...senderHeaders },
    })
    expect(await signIn(email, PASSWORD)).not.toBeNull()
  })

  test('keeps this browser signed in and ends every other session of the account', async () => {
    const [currentVisitor, otherVisitor] = [createVisitor(), createVisitor()]
    const mine = await signIn(email, PASSWORD, currentVisitor)
    const other = await signIn(email, PASSWORD, otherVisitor)
    expect(await (await change(currentVisitor)).text()).toContain('Password changed.')

    expect(await getUserStatus(mine?.access_token ?? '')).toBe(200)
    expect((await refreshTokens(deployment.env, mine?.refresh_token ?? '')).status).toBe(200)
    expect(
      (await resolveRedirects(currentVisitor, deployment.env, startFlow(deployment.env).url)).url.searchParams.has(
        'code',
      ),
    ).toBe(true)

    expect(await getUserStatus(other?.access_token ?? '')).toBe(401)
    expect((await refreshTokens(deployment.env, other?.refresh_token ?? '')).status).toBe(400)
    expect((await openSignInPage(otherVisitor)).html).toContain('<h1>Log in</h1>')
    expect(await signIn(email, PASSWORD)).toBeNull()
    expect(await signIn(email, 'a newer horse')).not.toBeNull()
    expect(await readHash(email)).toMatch(PRODUCTION_HASH)
  })

  test('rejects further attempts after ten wrong ones', async () => {
    const visitor = createVisitor()
    await signIn(email, 'a newer horse', visitor)
    for (let n = 0; n < 10; n++) await change(visitor, { old: `wrong ${n}` })
    const answer = await change(visitor, { old: 'a newer horse' })
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})
