import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { openNeighborhood } from '../../../support/home.ts'
import { resolveRedirects, startFlow, submitForm } from '../../../support/provider.ts'
import { cookieSigner } from '../../../../provider/identity/oidc/cookies.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import { finishSignIn, parseAlert, submitPassword } from '../../../support/second-factor.ts'
import { VisitorWithAddress, type Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'seven red kites at noon'
const PLAN_PATH = '/account/products/unlimited?period=annual'
let deployment: TestDeployment
let db: Env['DB']
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ TRUST_PROXY: '1', DEMO: '1' }) })
  db = ((await deployment.provider.getWorker().getEnv()) as Env).DB
})
afterAll(() => deployment.close())

let addressCount = 0
const createEmail = () => `newcomer${(addressCount += 1)}@example.com`
const createPerson = () => new VisitorWithAddress(deployment.env.PORTAL_ORIGIN)
const getPageUrl = () => new URL('/account/create', deployment.env.PROVIDER_ORIGIN)
/** Submits a form and follows the redirect to the next page. */
const submit = async (visitor: Visitor, fields: Record<string, string>) => {
  const answer = await submitForm(visitor, getPageUrl(), fields)
  const location = answer.headers.get('location')
  const page = location === null ? answer : await visitor.fetch(new URL(location, getPageUrl()).href)
  return { status: page.status, location, html: await page.text() }
}
const openStep = async (visitor: Visitor, step: string) =>
  (await visitor.fetch(`${getPageUrl().href}?step=${step}`)).text()
const signUp = (visitor: Visitor, email: string, fields: Record<string, string> = {}) =>
  submit(visitor, { email, password: PASSWORD, path: PLAN_PATH, ...fields })

async function listEmailTexts(email: string): Promise<string[]> {
  const list = await (await fetch(`${deployment.env.PROVIDER_ORIGIN}/mail`)).text()
  const paths = [...list.matchAll(/href="(\/mail\/msg_\w+)"[\s\S]*?To ([^,]+),/g)].flatMap(([, path = '', to]) =>
    to === email ? [path] : [],
  )
  const pages = await Promise.all(paths.map((path) => fetch(deployment.env.PROVIDER_ORIGIN + path)))
  return await Promise.all(pages.map((page) => page.text()))
}
async function waitForEmail(email: string): Promise<string> {
  await expect.poll(async () => (await listEmailTexts(email)).length).toBeGreaterThan(0)
  return (await listEmailTexts(email))[0] ?? ''
}
/** Changes the time of the last email in the signed cookie of the sign-up. */
async function moveSignUpCookie(visitor: Visitor, byMs: number): Promise<void> {
  const origin = deployment.env.PROVIDER_ORIGIN
  const [browser = '', details = ''] = (visitor.getCookie('sign_up', origin) ?? '').split('.')
  const visit = JSON.parse(Buffer.from(details, 'base64url').toString()) as { sentAt: number }
  const moved = JSON.stringify({ ...visit, sentAt: visit.sentAt + byMs })
  const value = `${browser}.${Buffer.from(moved).toString('base64url')}`
  const { sign } = cookieSigner([deployment.env.PROVIDER_COOKIE_KEY])
  visitor.setCookie('sign_up', value, origin)
  visitor.setCookie('sign_up.sig', sign(`sign_up=${value}`), origin)
}
const parseLink = (html: string) => /\/account\/create\?link=([\w-]+)/.exec(html)?.[1] ?? ''
const openLink = async (visitor: Visitor, link: string) =>
  (await visitor.fetch(`${getPageUrl().href}?link=${link}`)).text()
const countAccounts = (email: string) =>
  db.prepare('SELECT count(*) AS n FROM accounts WHERE email = ?').bind(email).first<number>('n')
const canSignIn = async (email: string) => {
  const submitted = await submitPassword(createPerson(), deployment.env, email, PASSWORD)
  const redirectUrl = submitted.answer.headers.get('location')
  return redirectUrl !== null && (await finishSignIn(deployment.env, submitted, redirectUrl)) !== null
}

describe('OPEN-164 sign-up', () => {
  test('creates the account only after the click in the email, and keeps the chosen plan', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    expect((await signUp(visitor, email)).status).toBe(200)
    const link = parseLink(await waitForEmail(email))
    expect(await openLink(visitor, link)).not.toMatch(/type="password"/)
    expect(await countAccounts(email)).toBe(0)
    const { html } = await submit(visitor, { link })
    expect(html).toContain(`href="${deployment.env.PORTAL_ORIGIN}${PLAN_PATH.replace('&', '&amp;')}"`)
    expect(await canSignIn(email)).toBe(true)
    expect((await submit(visitor, { link: `${link}x` })).status).toBe(400)
  })

  test('shows the chosen plan on the form and after it', async () => {
    const visitor = createPerson()
    const form = await (await visitor.fetch(`${getPageUrl().href}?${new URLSearchParams({ path: PLAN_PATH })}`)).text()
    expect(form).toMatch(/Unlimited Cameras<\/strong>\s*<span><b>\$99\.99<\/b> a year, all cameras/)
    expect((await signUp(visitor, createEmail())).html).toContain('Unlimited Cameras, $99.99 a year, is saved.')
    expect(await (await visitor.fetch(getPageUrl().href)).text()).not.toContain('class="plan"')
  })

  test('redirects after the form, so that the page can be opened again', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    const { location, html } = await signUp(visitor, email)
    expect(location).toBe('/account/create?step=email')
    expect((await openStep(visitor, 'email')).replace(/data-wait="\d+"/, '')).toBe(html.replace(/data-wait="\d+"/, ''))
    expect(await openStep(visitor, 'change')).toContain(`value="${email}"`)
    expect(await openStep(createPerson(), 'email')).not.toContain(email)
  })

  test('tells the page of the browser that signed up when the email is confirmed', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    await signUp(visitor, email)
    const fetchStatus = async (person: Visitor) => JSON.parse(await openStep(person, 'status')) as unknown
    expect(await fetchStatus(visitor)).toEqual({ confirmed: false })
    await submit(createPerson(), { link: parseLink(await waitForEmail(email)), password: PASSWORD })
    expect([await fetchStatus(visitor), await fetchStatus(createPerson())]).toEqual([
      { confirmed: true },
      { confirmed: false },
    ])
    expect((await visitor.fetch(`${getPageUrl().href}?step=email`)).headers.get('location')).toContain('step=done')
  })

  test('resends the email after a minute, and the new link works like the first one', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    await signUp(visitor, email)
    const first = parseLink(await waitForEmail(email))
    expect((await submit(visitor, { resend: '1' })).location).toBe('/account/create?step=email')
    await moveSignUpCookie(visitor, -60_000)
    expect((await submit(visitor, { resend: '1' })).location).toBe('/account/create?step=resent')
    await expect.poll(async () => (await listEmailTexts(email)).length).toBe(2)
    const links = (await listEmailTexts(email)).map(parseLink)
    expect(new Set(links).size).toBe(2)
    const second = links.find((link) => link !== first) ?? ''
    expect(await openLink(visitor, second)).not.toMatch(/type="password"/)
    await submit(visitor, { link: second })
    expect(await countAccounts(email)).toBe(1)
  })

  test('an expired link sends a new one, which still asks another browser for the password', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    await signUp(visitor, email)
    const link = parseLink(await waitForEmail(email))
    await db.prepare('UPDATE sign_ups SET until = 1 + until - 86400000 WHERE email = ?').bind(email).run()
    const [other, page] = [createPerson(), await openLink(visitor, link)]
    expect(page).toContain('This link has expired')
    expect((await submit(visitor, { link })).status).toBe(400)
    expect((await submit(other, { expired: link })).html).toContain(email)
    // The email of the expired link is deleted.
    const findRenewedLink = async () => (await listEmailTexts(email)).map(parseLink).find((text) => text !== link)
    await expect.poll(findRenewedLink).toBeDefined()
    const renewed = (await findRenewedLink()) ?? ''
    expect(await openLink(other, renewed)).toMatch(/type="password"/)
    expect(await openLink(visitor, renewed)).not.toMatch(/type="password"/)
  })

  test('marks the field with the problem, and puts the focus there', async () => {
    const wrongEmail = (await signUp(createPerson(), 'no address')).html
    expect(wrongEmail).toMatch(/id="email"[^>]*autofocus[^>]*aria-invalid="true"/)
    const wrongPassword = (await signUp(createPerson(), createEmail(), { password: 'password1234' })).html
    expect(wrongPassword).toMatch(/id="password"[^>]*aria-invalid="true"[^>]*autofocus/)
    expect(wrongPassword).not.toMatch(/id="email"[^>]*autofocus/)
  })

  test('a double or later click creates one account and shows no error', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    await signUp(visitor, email)
    const link = parseLink(await waitForEmail(email))
    const answers = await Promise.all([submit(visitor, { link }), submit(visitor, { link })])
    answers.push(await submit(visitor, { link }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await countAccounts(email)).toBe(1)
  })

  test('gives no bridge to the new home, because a bridge without a home may be in another house', async () => {
    await db.exec("INSERT INTO bridges (bridge_id, key_hash, name, created_at) VALUES ('bridge_x', 'h', 'Office', 1)")
    const [visitor, email] = [createPerson(), createEmail()]
    await signUp(visitor, email)
    await submit(visitor, { link: parseLink(await waitForEmail(email)) })
    expect(await countAccounts(email)).toBe(1)
    expect(await db.prepare("SELECT * FROM bridge_homes WHERE bridge_id = 'bridge_x'").all()).toMatchObject({
      results: [],
    })
  })

  test('asks for the password in another browser, so that nobody confirms an account of a stranger', async () => {
    const email = createEmail()
    await signUp(createPerson(), email)
    const [other, link] = [createPerson(), parseLink(await waitForEmail(email))]
    expect(await openLink(other, link)).toMatch(/type="password"/)
    expect(parseAlert((await submit(other, { link })).html)).toBeDefined()
    expect(parseAlert((await submit(other, { link, password: 'not the password' })).html)).toBeDefined()
    expect(await countAccounts(email)).toBe(0)
    expect(parseAlert((await submit(other, { link, password: PASSWORD })).html)).toBeUndefined()
    expect(await countAccounts(email)).toBe(1)
  })

  test('returns the same page for a known address, and tells its owner', async () => {
    const [existingEmail, newEmail] = [createEmail(), createEmail()]
    await addQuickAccount(db, existingEmail, PASSWORD)
    const answers = [await signUp(createPerson(), existingEmail), await signUp(createPerson(), newEmail)]
    // The countdown depends only on the time.
    const pages = answers.map(({ html }) => html.replace(/data-wait="\d+"/, ''))
    expect(pages[0]?.replaceAll(existingEmail, '@')).toBe(pages[1]?.replaceAll(newEmail, '@'))
    expect(parseLink(await waitForEmail(existingEmail))).toBe('')
    expect(parseLink(await waitForEmail(newEmail))).not.toBe('')
  })

  test.each([
    ['an address that is none', { email: 'a@x.com, evil@x.com' }],
    ['a short password', { password: 'short' }],
    ['a common password', { password: 'password1234' }],
  ])('rejects %s in the form', async (_, fields) => {
    const email = createEmail()
    expect(parseAlert((await signUp(createPerson(), email, fields)).html)).toBeDefined()
    expect(await countAccounts(email)).toBe(0)
  })

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never links to %s',
    async (path) => {
      const [visitor, email] = [createPerson(), createEmail()]
      await signUp(visitor, email, { path })
      const { html } = await submit(visitor, { link: parseLink(await waitForEmail(email)) })
      expect(html).toContain(`href="${deployment.env.PORTAL_ORIGIN}/live"`)
    },
  )

  test('sends no email to programs that fill in every field, and three per hour to one address', async () => {
    const [email, later] = [createEmail(), createEmail()]
    await signUp(createPerson(), email, { website: 'https://spam.example' })
    for (let n = 0; n < 4; n += 1) await signUp(createPerson(), email)
    // Emails are sent in the order of the requests. Once the last address has its email, all earlier ones were sent.
    await signUp(createPerson(), later)
    await waitForEmail(later)
    await expect.poll(async () => (await listEmailTexts(email)).length).toBe(3)
  })

  test('is rate limited per client network', async () => {
    const visitor = createPerson()
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) statuses.push((await signUp(visitor, createEmail())).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('a form of another site creates nothing', async () => {
    const [visitor, email] = [createPerson(), createEmail()]
    const answer = await visitor.fetch(getPageUrl().href, {
      method: 'POST',
      body: new URLSearchParams({ email, password: PASSWORD }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(await answer.text()).not.toContain(email)
  })

  test('the sign-in page links to it with the page that the user wanted', async () => {
    const { url } = startFlow(deployment.env, { state: PLAN_PATH })
    const { answer } = await resolveRedirects(createPerson(), deployment.env, url)
    expect(await answer?.text()).toContain(`/account/create?path=${encodeURIComponent(PLAN_PATH)}`)
  })
})

describe('OPEN-164 a provider with SIGN_UP', () => {
  test.each([
    ['off', { SIGN_UP: 'off' }],
    ['open, but without a way to send emails,', { SIGN_UP: 'open', DEMO: '0', BILLING_GATEWAY: '' }],
  ])('%s shows no form and no link to it', async (_, change) => {
    const closed = await openTestDeployment({ change: () => change })
    const bindings = (await closed.provider.getWorker().getEnv()) as Env
    await addQuickAccount(bindings.DB, 'owner@example.com', PASSWORD)
    const page = await fetch(`${closed.env.PROVIDER_ORIGIN}/account/create`)
    expect([page.status, (await page.text()).includes('<form')]).toEqual([404, false])
    const visitor = new VisitorWithAddress(closed.env.PORTAL_ORIGIN)
    const { answer } = await resolveRedirects(visitor, closed.env, startFlow(closed.env).url)
    const html = (await answer?.text()) ?? ''
    expect([html.includes('id="password"'), html.includes('/account/create')]).toEqual([true, false])
    await closed.close()
  })

  test('invite does not claim that an email was sent', async () => {
    const change = () => ({ SIGN_UP: 'invite', DEMO: '0', BILLING_GATEWAY: '', SMTP_URL: 'smtp://127.0.0.1:1' })
    const inviteOnly = await openTestDeployment({ change })
    await addQuickAccount(((await inviteOnly.provider.getWorker().getEnv()) as Env).DB, 'owner@example.com', PASSWORD)
    const [visitor, email] = [new VisitorWithAddress(inviteOnly.env.PORTAL_ORIGIN), createEmail()]
    const url = new URL('/account/create', inviteOnly.env.PROVIDER_ORIGIN)
    await submitForm(visitor, url, { email, password: PASSWORD })
    const page = await (await visitor.fetch(`${url.href}?step=email`)).text()
    expect(page).toContain(`If <strong>${email}</strong> is invited, we’ve sent an email.`)
    await inviteOnly.close()
  })

  test('invite sends an email only to an address with which a camera was shared', async () => {
    const [invited, stranger] = [createEmail(), createEmail()]
    const neighborhood = await openNeighborhood({ change: () => ({ SIGN_UP: 'invite', DEMO: '1' }) })
    const { env } = neighborhood.stage
    await neighborhood.a.bridge.register('door_a')
    const cameraShare = { device_id: 'door_a', email: invited, role: 2 }
    expect((await neighborhood.call(neighborhood.a, shareCamera, cameraShare)).status).toBe(200)
    const url = new URL('/account/create', env.PROVIDER_ORIGIN)
    for (const email of [stranger, invited])
      await submitForm(new VisitorWithAddress(env.PORTAL_ORIGIN), url, { email, password: PASSWORD })
    const readOutbox = async () => (await fetch(`${env.PROVIDER_ORIGIN}/mail`)).text()
    await expect.poll(readOutbox).toContain(invited)
    expect(await readOutbox()).not.toContain(stranger)
    await neighborhood.close()
  })
})
