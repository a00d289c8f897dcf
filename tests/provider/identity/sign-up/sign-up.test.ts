import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { openNeighborhood } from '../../../support/home.ts'
import { resolveRedirects, startFlow, submitForm } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import { finishSignIn, parseAlert, submitPassword } from '../../../support/second-factor.ts'
import { VisitorWithAddress, type Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'seven red kites at noon'
const PLAN_PATH = '/account/products/choose?plan=unlimited'
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
const submit = async (visitor: Visitor, fields: Record<string, string>) => {
  const answer = await submitForm(visitor, getPageUrl(), fields)
  return { status: answer.status, html: await answer.text() }
}
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
    expect(answers[0]?.html.replaceAll(existingEmail, '@')).toBe(answers[1]?.html.replaceAll(newEmail, '@'))
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
