import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { getNotifications } from '../../../../contract/account/notifications.ts'
import type { Env } from '../../../../provider/env.ts'
import { createNonceAt, refreshTokens, sendCallAsEdge, submitForm, type Tokens } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseAlert,
  parseTicket,
  finishSignIn,
  submitPassword,
} from '../../../support/second-factor.ts'
import { VisitorWithAddress, type Visitor } from '../../../support/visitor.ts'

const OLD_PASSWORD = 'correct horse'
const NEW_PASSWORD = 'seven red kites at noon'
let deployment: TestDeployment
let db: Env['DB']
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ TRUST_PROXY: '1' }) })
  db = ((await deployment.provider.getWorker().getEnv()) as Env).DB
})
afterAll(() => deployment.close())

let accountCount = 0
async function createAccount(): Promise<string> {
  const email = `forgets${(accountCount += 1)}@example.com`
  await addQuickAccount(db, email, OLD_PASSWORD)
  return email
}
const createPerson = () => new VisitorWithAddress(deployment.env.PORTAL_ORIGIN)
const getPageUrl = () => new URL('/account/forgotten', deployment.env.PROVIDER_ORIGIN)
const requestReset = async (email: string, visitor: Visitor = createPerson()) => {
  const answer = await submitForm(visitor, getPageUrl(), { email })
  return { status: answer.status, html: await answer.text() }
}
async function listEmailUrls(email: string): Promise<string[]> {
  const list = await (await fetch(`${deployment.env.PROVIDER_ORIGIN}/mail`)).text()
  const found = [...list.matchAll(/href="(\/mail\/msg_\w+)"[\s\S]*?To ([^,]+),/g)]
  return found.flatMap(([, path = '', to]) => (to === email ? deployment.env.PROVIDER_ORIGIN + path : []))
}
async function waitForLink(email: string): Promise<string> {
  await expect.poll(async () => (await listEmailUrls(email)).length).toBeGreaterThan(0)
  const [newest = ''] = await listEmailUrls(email)
  const text = /<pre class="mail-text">([\s\S]*?)<\/pre>/.exec(await (await fetch(newest)).text())?.[1] ?? ''
  return /https?:\S+link=\S+/.exec(text)?.[0] ?? ''
}
const parseSecret = (link: string) => new URL(link).searchParams.get('link') ?? ''
const submitNewPassword = async (link: string, fields: Record<string, string>) => {
  const answer = await submitForm(createPerson(), getPageUrl(), {
    link: parseSecret(link),
    repeat: fields['password'] ?? '',
    ...fields,
  })
  return { status: answer.status, html: await answer.text() }
}
/** Signs in. Returns the tokens, or null if the password is wrong or a second factor is required. */
async function signIn(email: string, password: string): Promise<Tokens | null> {
  const submitted = await submitPassword(createPerson(), deployment.env, email, password)
  const redirectUrl = submitted.answer.headers.get('location')
  return redirectUrl === null ? null : await finishSignIn(deployment.env, submitted, redirectUrl)
}

describe('password reset request', () => {
  test('returns the same page for every address, and sends email only to existing accounts', async () => {
    const email = await createAccount()
    const unknownEmail = 'nobody-at-all@example.com'
    const [existing, unknown] = [await requestReset(email), await requestReset(unknownEmail)]
    expect(existing.status).toBe(200)
    expect(existing.html.replaceAll(email, '@')).toBe(unknown.html.replaceAll(unknownEmail, '@'))
    expect(existing.html).toMatch(/in the last\s+20 minutes/)
    expect(await waitForLink(email)).toContain(`${deployment.env.PROVIDER_ORIGIN}/account/forgotten?link=`)
    expect(await listEmailUrls(unknownEmail)).toEqual([])
  })

  test('rejects input that is not an email address', async () => {
    const { html } = await requestReset('a@x.com, evil@x.com')
    expect(parseAlert(html)).toMatch(/./)
  })

  const backdateLinks = (email: string) =>
    db
      .prepare(
        'UPDATE password_links SET until = until - ? WHERE user_id = (SELECT user_id FROM accounts WHERE email = ?)',
      )
      .bind(21 * 60_000, email)
      .run()
  const countEmails = async (email: string) => (await listEmailUrls(email)).length

  test('by strangers leaves the owner a working link and returns the same page each time', async () => {
    const email = await createAccount()
    const answers = [await requestReset(email)]
    const link = await waitForLink(email)
    for (let n = 0; n < 11; n += 1) answers.push(await requestReset(email))
    expect(new Set(answers.map(({ html }) => html)).size).toBe(1)
    await backdateLinks(email)
    await requestReset(email)
    await expect.poll(() => countEmails(email)).toBe(2)
    expect((await submitNewPassword(link, { password: NEW_PASSWORD })).status).toBe(200)
  })

  test('sends a new link immediately when the last one was used', async () => {
    const email = await createAccount()
    await requestReset(email)
    await submitNewPassword(await waitForLink(email), { password: NEW_PASSWORD })
    await requestReset(email)
    await expect.poll(() => countEmails(email)).toBe(2)
  })

  test('sends at most three emails per hour to one address', async () => {
    const email = await createAccount()
    for (let sent = 1; sent <= 3; sent += 1) {
      await requestReset(email)
      await expect.poll(() => countEmails(email)).toBe(sent)
      await backdateLinks(email)
    }
    // The provider processes requests in order. Once the other account's email has arrived, the rejected request has
    // been processed too.
    const later = await createAccount()
    await requestReset(email)
    await requestReset(later)
    await expect.poll(() => countEmails(later)).toBe(1)
    expect(await countEmails(email)).toBe(3)
  })

  test('is rate limited per client network', async () => {
    const visitor = createPerson()
    const worker = deployment.provider.getWorker()
    const guard = await worker.getDurableObjectStorage('GUARDS', { name: `ip:${visitor.address}` })
    await requestReset('first@example.com', visitor)
    for (let n = 0; n < 19; n += 1)
      await guard.exec("INSERT INTO attempts (action, until) VALUES ('forgotten', ?)", Date.now() + 3_600_000)
    const { status, html } = await requestReset('last@example.com', visitor)
    expect([status, /\b60 minutes\b/.test(html)]).toEqual([429, true])
    expect((await requestReset('last@example.com')).status).toBe(200)
  })

  test('is rejected from a form of another site', async () => {
    const email = await createAccount()
    const answer = await createPerson().fetch(getPageUrl().href, {
      method: 'POST',
      body: new URLSearchParams({ email }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(await answer.text()).toContain('Send reset link')
    expect(await listEmailUrls(email)).toEqual([])
  })
})

describe('reset link', () => {
  test('sets a password once, and signs the account out everywhere', async () => {
    const email = await createAccount()
    const tokens = await signIn(email, OLD_PASSWORD)
    await requestReset(email)
    const link = await waitForLink(email)
    expect(await (await createPerson().navigate(link)).text()).toContain(email)
    // The account's object caches the token.
    expect((await sendCallAsEdge(deployment.env, userMe, tokens?.access_token ?? '')).status).toBe(200)
    const done = await submitNewPassword(link, { password: NEW_PASSWORD })
    expect(done.html).toContain('Your new password is set.')
    expect((await sendCallAsEdge(deployment.env, userMe, tokens?.access_token ?? '')).status).toBe(401)
    expect((await refreshTokens(deployment.env, tokens?.refresh_token ?? '')).status).toBe(400)
    expect(await signIn(email, OLD_PASSWORD)).toBeNull()
    expect(await signIn(email, NEW_PASSWORD)).toHaveProperty('access_token')
    const second = await submitNewPassword(link, { password: `${NEW_PASSWORD} again` })
    expect([second.status, second.html.includes('This link no longer works')]).toEqual([400, true])
    expect(await signIn(email, NEW_PASSWORD)).toHaveProperty('access_token')
  })

  test('sets one password when used concurrently', async () => {
    const email = await createAccount()
    await requestReset(email)
    const link = await waitForLink(email)
    const answers = await Promise.all(
      [1, 2, 3].map((n) => submitNewPassword(link, { password: `${NEW_PASSWORD} ${n}` })),
    )
    expect(answers.filter(({ html }) => html.includes('Your new password is set.'))).toHaveLength(1)
  })

  test('stays valid when the password is rejected, with the reason', async () => {
    const email = await createAccount()
    await requestReset(email)
    const link = await waitForLink(email)
    expect((await submitNewPassword(link, { password: 'short' })).html).toMatch(/\b10 to 200\b/)
    expect((await submitNewPassword(link, { password: NEW_PASSWORD, repeat: 'another' })).html).toContain('don’t match')
    expect((await submitNewPassword(link, { password: NEW_PASSWORD })).html).toContain('Your new password is set.')
  })

  test('expires after half an hour, with a password change, and when a link was used', async () => {
    const email = await createAccount()
    await requestReset(email)
    const link = await waitForLink(email)
    const { until = 0 } =
      (await db
        .prepare('SELECT until FROM password_links JOIN accounts USING (user_id) WHERE email = ?')
        .bind(email)
        .first<{ until: number }>()) ?? {}
    expect(Math.abs(until - Date.now() - 1_800_000)).toBeLessThan(60_000)
    await db
      .prepare('UPDATE password_links SET until = ?')
      .bind(Date.now() - 1)
      .run()
    expect((await createPerson().navigate(link)).status).toBe(400)
    expect((await submitNewPassword(link, { password: NEW_PASSWORD })).html).toContain('This link no longer works')

    await db.prepare('UPDATE password_links SET until = ?').bind(until).run()
    await db.prepare("UPDATE accounts SET password_hash = password_hash || 'x' WHERE email = ?").bind(email).run()
    expect((await submitNewPassword(link, { password: NEW_PASSWORD })).html).toContain('This link no longer works')
  })

  test('is stored as a hash, and appears in no notification', async () => {
    const email = await createAccount()
    await requestReset(email)
    const secret = parseSecret(await waitForLink(email))
    expect(secret.length).toBeGreaterThanOrEqual(43)
    const tables = ['messages', 'password_links', 'accounts']
    const rows = await Promise.all(tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()))
    expect(JSON.stringify(rows)).not.toContain(secret)
    const tokens = await signIn(email, OLD_PASSWORD)
    const response = await sendCallAsEdge(deployment.env, getNotifications, tokens?.access_token ?? '', {
      payload: { nonce: createNonceAt() },
    })
    const text = await response.text()
    expect(text).toContain('password_forgotten')
    expect(text).not.toContain(secret)
  })

  test.each(['', 'x', 'A'.repeat(43), "' OR 1=1 --"])('with secret %j opens nothing', async (value) => {
    const pageUrl = getPageUrl()
    pageUrl.searchParams.set('link', value)
    expect((await createPerson().navigate(pageUrl.href)).status).toBe(400)
  })
})

async function addFactor(email: string): Promise<string> {
  const owner = createPerson()
  const submitted = await submitPassword(owner, deployment.env, email, OLD_PASSWORD)
  await finishSignIn(deployment.env, submitted, submitted.answer.headers.get('location') ?? '')
  const factor = new URL('/account/second-factor', deployment.env.PROVIDER_ORIGIN)
  const post = async (fields: Record<string, string>) => (await submitForm(owner, factor, fields)).text()
  const key = parseTotpKey(await post({ step: 'begin', password: OLD_PASSWORD }))
  await post({ step: 'code', code: generateAppCode(key) })
  expect(parseAlert(await post({ step: 'on', kept: '1' }))).toBeUndefined()
  return key
}

test('a stranger with the password uses up second-factor attempts of their own network only', async () => {
  const email = await createAccount()
  const key = await addFactor(email)
  const stranger = createPerson()
  const { pageUrl: submitted, html } = await submitPassword(stranger, deployment.env, email, OLD_PASSWORD)
  const attempt = async (visitor: Visitor, to: URL, ticket: string, code: string) =>
    (await submitForm(visitor, to, { ticket, way: 'code', code })).status
  for (let n = 0; n < 5; n += 1) await attempt(stranger, submitted, parseTicket(html) ?? '', '000000')
  expect(await attempt(stranger, submitted, parseTicket(html) ?? '', generateAppCode(key, 1))).toBe(429)
  const owner = createPerson()
  const ownPage = await submitPassword(owner, deployment.env, email, OLD_PASSWORD)
  const answer = await submitForm(owner, ownPage.pageUrl, {
    ticket: parseTicket(ownPage.html) ?? '',
    way: 'code',
    code: generateAppCode(key, 1),
  })
  expect(answer.headers.get('location')).toBeTruthy()
})

test('the reset link lets its browser sign in, however often strangers have guessed', async () => {
  const email = await createAccount()
  await requestReset(email)
  const owner = createPerson()
  const link = await waitForLink(email)
  await submitForm(owner, getPageUrl(), { link: parseSecret(link), password: NEW_PASSWORD, repeat: NEW_PASSWORD })
  const guard = await deployment.provider.getWorker().getDurableObjectStorage('GUARDS', { name: `email:${email}` })
  await guard.exec('CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, action TEXT, until INTEGER)')
  for (let n = 0; n < 100; n += 1)
    await guard.exec("INSERT INTO attempts (action, until) VALUES ('sign-in', ?)", Date.now() + 3_600_000)
  expect((await submitPassword(createPerson(), deployment.env, email, NEW_PASSWORD)).answer.status).toBe(429)
  expect((await submitPassword(owner, deployment.env, email, NEW_PASSWORD)).answer.headers.get('location')).toBeTruthy()
})

test('the second factor remains, and sign-in with the new password requires it', async () => {
  const email = await createAccount()
  await addFactor(email)
  await requestReset(email)
  await submitNewPassword(await waitForLink(email), { password: NEW_PASSWORD })
  const again = await submitPassword(createPerson(), deployment.env, email, NEW_PASSWORD)
  expect(parseTicket(again.html)).toBeTruthy()
})

test('the sign-in page links to the password reset if the provider sends email', async () => {
  const submitted = await submitPassword(createPerson(), deployment.env, 'nobody@example.com', 'wrong')
  expect(submitted.html).toContain('<a href="/account/forgotten">Forgot password?</a>')
  await deployment.provider.restart({ ...deployment.env, DEMO: '0' })
  const answer = await fetch(getPageUrl())
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('can’t send email') as string])
  await deployment.provider.restart({ ...deployment.env })
})
