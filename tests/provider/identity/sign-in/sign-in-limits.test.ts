import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { startFlow, resolveRedirects } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import { Visitor } from '../../../support/visitor.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

/** Emails of accounts with cheap password hashes, for tests that send many wrong passwords. */
const GUESSED_EMAILS = ['pair@example.com', 'slow@example.com', 'six@example.com']
let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true, change: () => ({ TRUST_PROXY: '1' }) })
  const { DB } = (await deployment.provider.getWorker().getEnv()) as Env
  for (const email of GUESSED_EMAILS) await addQuickAccount(DB, email, 'correct horse')
})
afterAll(() => deployment.close())

const createVisitor = () => new Visitor(deployment.env.PORTAL_ORIGIN)
const getGuardStorage = (name: string) => deployment.provider.getWorker().getDurableObjectStorage('GUARDS', { name })
async function countAttempts(name: string): Promise<number> {
  const storage = await getGuardStorage(name)
  await storage.exec('CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, action TEXT, until INTEGER)')
  const rows = await storage.exec("SELECT count(*) AS n FROM attempts WHERE action = 'sign-in'")
  return (rows[0] as unknown as { n: number }).n
}
async function ageAttempts(name: string, ms: number): Promise<void> {
  await (await getGuardStorage(name)).exec('UPDATE attempts SET until = until - ?', ms)
}

async function addAttempts(name: string, times: number): Promise<void> {
  const storage = await getGuardStorage(name)
  const until = Date.now() + HOUR_MS
  for (let n = 0; n < times; n++)
    await storage.exec("INSERT INTO attempts (action, until) VALUES ('sign-in', ?)", until)
}
/** Returns a new browser that has only the known-browser cookies of `by`. */
function copyKnownBrowserCookies(visitor: Visitor): Visitor {
  const [next, origin] = [createVisitor(), deployment.env.PROVIDER_ORIGIN]
  for (const name of visitor.listCookieNames(origin).filter((cookieName) => cookieName.startsWith('known_')))
    next.setCookie(name, visitor.getCookie(name, origin) ?? '', origin)
  return next
}

interface SignInAttempt {
  readonly email: string
  readonly password?: string
  readonly ip: string
  readonly visitor?: Visitor
}
async function login({ email, password = 'wrong password', ip, visitor = createVisitor() }: SignInAttempt) {
  const answer = await visitor.fetch(`${deployment.env.PROVIDER_ORIGIN}${userLogin.path}?source=web`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': ip },
  })
  return { status: answer.status, msg: ((await answer.json()) as { msg?: string }).msg }
}
async function submitSignInForm({ email, password = 'wrong password', ip, visitor = createVisitor() }: SignInAttempt) {
  const { url: pageUrl } = await resolveRedirects(visitor, deployment.env, startFlow(deployment.env).url)
  const answer = await visitor.fetch(pageUrl.href, {
    method: 'POST',
    body: new URLSearchParams({ email, password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: pageUrl.origin, 'cf-connecting-ip': ip },
  })
  const msg = /role="alert">(?:<svg[^]*?<\/svg>)?(?:<span>)?([^<]*)</.exec(await answer.text())?.[1]
  return { status: answer.headers.has('location') ? 200 : answer.status === 429 ? 429 : 401, msg }
}

describe.each([
  ['the call', login, 'a'],
  ['the sign-in form', submitSignInForm, 'b'],
])('%s', (_, attemptSignIn, tag) => {
  const net = tag === 'a' ? '198.51.100' : '203.0.113'

  test('ten wrong guesses from ten networks do not lock out the owner on one of them', async () => {
    const email = tag === 'a' ? 'owner@example.com' : 'free@example.com'
    const networks = Array.from({ length: 10 }, (_, n) => `${net}.${n + 1}`)
    const answers = await Promise.all(networks.map((ip) => attemptSignIn({ email, ip })))
    expect(answers.map(({ status }) => status)).toEqual(networks.map(() => 401))
    expect((await attemptSignIn({ email, ip: `${net}.1`, password: DEMO_PASSWORD })).status).toBe(200)
  })

  test('checks ten of forty concurrent guesses, and rejects known and unknown email addresses alike', async () => {
    const sendFortyGuesses = (email: string, ip: string) =>
      Promise.all(Array.from({ length: 40 }, () => attemptSignIn({ email, ip })))
    const existing = await sendFortyGuesses('shared@example.com', `${net}.201`)
    const unknown = await sendFortyGuesses(`nobody-${tag}@example.com`, `${net}.202`)
    for (const answers of [existing, unknown]) {
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    }
    expect(new Set(existing.map(({ msg }) => msg))).toEqual(new Set(unknown.map(({ msg }) => msg)))
  })
})

test('a client network that is itself rejected raises the counters of no account', async () => {
  const ip = '192.0.2.1'
  await login({ email: 'a@example.com', ip })
  await addAttempts(`ip:${ip}`, 29)
  for (let n = 0; n < 5; n++) expect((await login({ email: 'victim@example.com', ip })).status).toBe(429)
  expect(await countAttempts('email:victim@example.com')).toBe(0)
  expect(await countAttempts(`pair:${ip} victim@example.com`)).toBe(0)
})

test('a guess rejected for its network and email pair counts against neither of the two', async () => {
  const [ip, email] = ['192.0.2.2', 'pair@example.com']
  for (let n = 0; n < 15; n++) await login({ email, ip })
  expect([await countAttempts(`email:${email}`), await countAttempts(`ip:${ip}`)]).toEqual([10, 10])
})

test('one client network gets twenty guesses per hour at one email address, however they are spread', async () => {
  const [ip, email] = ['192.0.2.3', 'slow@example.com']
  const sendTenGuesses = () => Promise.all(Array.from({ length: 10 }, () => login({ email, ip })))
  await sendTenGuesses()
  await ageAttempts(`pair:${ip} ${email}`, HOUR_MS / 12)
  expect((await sendTenGuesses()).filter(({ status }) => status === 401)).toHaveLength(10)
  await ageAttempts(`pair:${ip} ${email}`, HOUR_MS / 12)
  await ageAttempts(`ip:${ip}`, HOUR_MS / 12)
  expect((await login({ email, ip })).status).toBe(429)
  await ageAttempts(`pair:${ip} ${email}`, HOUR_MS)
  expect((await login({ email, ip })).status).toBe(401)
})

test('addresses of one IPv6 network count as one client network', async () => {
  const email = 'six@example.com'
  for (let n = 1; n <= 10; n++) await login({ email, ip: `2001:db8:1:2::${n}` })
  expect((await login({ email, ip: '2001:db8:1:2:ffff:ffff:ffff:1' })).status).toBe(429)
  expect((await login({ email, ip: '2001:db8:1:3::1' })).status).toBe(401)
})

describe('an account that is guessed at from everywhere', () => {
  const email = 'owner@example.com'
  const correctLogin = { email, password: DEMO_PASSWORD }

  test('is closed to unknown browsers for an hour, and open to a known browser', async () => {
    const visitor = createVisitor()
    expect((await login({ ...correctLogin, ip: '192.0.2.10', visitor })).status).toBe(200)
    await login({ email, ip: '192.0.2.100' })
    await addAttempts(`email:${email}`, 100 - (await countAttempts(`email:${email}`)))

    expect((await login({ ...correctLogin, ip: '192.0.2.11' })).status).toBe(429)
    expect((await login({ ...correctLogin, ip: '192.0.2.100', visitor })).status).toBe(200)
    expect(
      (await submitSignInForm({ ...correctLogin, ip: '192.0.2.100', visitor: copyKnownBrowserCookies(visitor) }))
        .status,
    ).toBe(200)

    await ageAttempts(`email:${email}`, HOUR_MS)
    expect((await login({ ...correctLogin, ip: '192.0.2.11' })).status).toBe(200)
  })

  test('gives a known browser ten wrong guesses in five minutes and no more', async () => {
    const visitor = createVisitor()
    await login({ ...correctLogin, ip: '192.0.2.20', visitor })
    for (let n = 0; n < 10; n++) expect((await login({ email, ip: `192.0.2.${30 + n}`, visitor })).status).toBe(401)
    expect((await login({ ...correctLogin, ip: '192.0.2.50', visitor })).status).toBe(429)
  })

  test('rejects the known-browser cookie of another account, and a forged cookie', async () => {
    const visitor = createVisitor()
    await login({ ...correctLogin, ip: '192.0.2.21', visitor })
    const origin = deployment.env.PROVIDER_ORIGIN
    const name = visitor.listCookieNames(origin).find((cookieName) => /^known_[0-9a-f]{16}$/.test(cookieName)) ?? ''
    expect(visitor.getCookie(`${name}.sig`, origin)).toMatch(/^[\w-]{43}$/)
    for (let n = 0; n < 10; n++) await login({ email: 'free@example.com', ip: '192.0.2.22', visitor })
    expect((await login({ email: 'free@example.com', ip: '192.0.2.22', visitor })).status).toBe(429)

    visitor.setCookie(name, 'A'.repeat(22), origin)
    for (let n = 0; n < 10; n++) await login({ email, ip: '192.0.2.23', visitor })
    expect((await login({ ...correctLogin, ip: '192.0.2.23', visitor })).status).toBe(429)
  })
})
