import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getActivity, type ActivityEntry } from '../../../../contract/account/activity.ts'
import { ADMIN_PATHS, DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userLogin, userLogout } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import {
  startFlow,
  resolveRedirects,
  refreshTokens,
  sendCallAsEdge,
  signInAtProvider,
  submitForm,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseRecoveryCodes,
  parseTicket,
  submitPassword,
} from '../../../support/second-factor.ts'
import { Visitor } from '../../../support/visitor.ts'

const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const ANN = 'ann@example.com'
const FAY = 'fay@example.com'
let deployment: TestDeployment
let providerEnv: Env
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true, change: () => ({ TRUST_PROXY: '1' }) })
  providerEnv = (await deployment.provider.getWorker().getEnv()) as Env
  for (const email of [ANN, 'bob@example.com', 'carl@example.com', 'dora@example.com', 'eve@example.com', FAY])
    await addQuickAccount(providerEnv.DB, email, DEMO_PASSWORD)
})
afterAll(() => deployment.close())

/** A browser on Windows behind a proxy that reports `address` as the browser's IP address. */
class WindowsBrowser extends Visitor {
  readonly address: string
  constructor(address = '203.0.113.77') {
    super(deployment.env.PORTAL_ORIGIN)
    this.address = address
  }
  override fetch(url: string, init: Parameters<Visitor['fetch']>[1] = {}): Promise<Response> {
    const headers = { ...init.headers, 'user-agent': USER_AGENT, 'cf-connecting-ip': this.address }
    return super.fetch(url, { ...init, headers })
  }
}

async function readActivity(tokens: Pick<Tokens, 'access_token'>): Promise<ActivityEntry[]> {
  const answer = await sendCallAsEdge(deployment.env, getActivity, tokens.access_token)
  return v.parse(getActivity.response, await answer.json()).data.entries
}
/** Waits for an entry: the provider writes entries after the response. */
async function waitForEntry(tokens: Tokens, kind: string, matches: (entry: ActivityEntry) => boolean = () => true) {
  return await vi.waitFor(async () => {
    const entry = (await readActivity(tokens)).find((candidate) => candidate.kind === kind && matches(candidate))
    expect(entry).toBeDefined()
    return entry!
  }, WAIT_OPTIONS)
}
async function tryPassword(email: string, password: string, visitor: Visitor): Promise<Response> {
  const { url: pageUrl } = await resolveRedirects(visitor, deployment.env, startFlow(deployment.env).url)
  return await submitSignIn(visitor, pageUrl, email, password)
}

describe('sign-in in the activity log', () => {
  test('records browser, operating system and network, but not the full IP address', async () => {
    const tokens = await signInAtProvider(deployment.env, ANN, new WindowsBrowser())
    const entry = await waitForEntry(tokens, 'sign-in', ({ device }) => device.startsWith('Chrome'))
    expect(entry).toMatchObject({ own: true, who: ANN, device: 'Chrome on Windows', address: '203.0.113.x' })
  })

  test('counts failed attempts per network and hour, from the sign-in page and the call', async () => {
    const email = 'bob@example.com'
    for (const ip of ['198.51.100.1', '198.51.100.2']) await tryPassword(email, 'wrong horse', new WindowsBrowser(ip))
    await fetch(`${deployment.env.PROVIDER_ORIGIN}${userLogin.path}?source=test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': '2001:db8:7:8::9', 'user-agent': USER_AGENT },
      body: JSON.stringify({ email, password: 'wrong horse' }),
    })
    const tokens = await signInAtProvider(deployment.env, email)
    const ipv6Entry = await waitForEntry(tokens, 'sign-in-refused', ({ address }) => address === '2001:db8:7::')
    expect(ipv6Entry).toMatchObject({ count: 1, who: null, own: false, value: 'password', device: 'Chrome on Windows' })
    await vi.waitFor(async () => {
      const ipv4Entries = (await readActivity(tokens)).filter(({ address }) => address === '198.51.100.x')
      expect(ipv4Entries.reduce((sum, { count }) => sum + count, 0)).toBe(2)
      // The log has two entries if the hour changes between the attempts.
      expect(ipv4Entries.length).toBeLessThanOrEqual(2)
    }, WAIT_OPTIONS)
  })

  test('records an attempt that was rate limited', async () => {
    const email = 'carl@example.com'
    const tokens = await signInAtProvider(deployment.env, email)
    for (let n = 0; n < 11; n++) await tryPassword(email, 'wrong horse', new WindowsBrowser('198.51.100.7'))
    expect(await waitForEntry(tokens, 'sign-in-limited')).toMatchObject({
      address: '198.51.100.x',
      who: null,
      value: 'password',
    })
  })

  test('leaves no entry for an email address without an account', async () => {
    await tryPassword('nobody@example.com', 'wrong horse', new WindowsBrowser())
    await tryPassword(ANN, 'wrong horse', new WindowsBrowser('192.0.2.9'))
    const tokens = await signInAtProvider(deployment.env, ANN)
    await waitForEntry(tokens, 'sign-in-refused', ({ address }) => address === '192.0.2.x')
    expect(JSON.stringify(await readActivity(tokens))).not.toContain('nobody')
  })
})

test('the end of a sign-in is recorded: by sign-out, refresh token reuse or a new password', async () => {
  const email = 'dora@example.com'
  const first = await signInAtProvider(deployment.env, email)
  await sendCallAsEdge(deployment.env, userLogout, first.access_token)

  const copied = await signInAtProvider(deployment.env, email)
  const second = (await (await refreshTokens(deployment.env, copied.refresh_token)).json()) as Tokens
  await refreshTokens(deployment.env, second.refresh_token)
  expect((await refreshTokens(deployment.env, copied.refresh_token)).status).toBe(400)

  const visitor = new WindowsBrowser()
  const last = await signInAtProvider(deployment.env, email, visitor)
  const password = new URL('/account/password', deployment.env.PROVIDER_ORIGIN)
  const fields = { old: DEMO_PASSWORD, password: 'another horse', repeat: 'another horse' }
  expect((await submitForm(visitor, password, fields)).status).toBe(200)

  await waitForEntry(last, 'sign-out')
  expect(await waitForEntry(last, 'refresh-reuse')).toMatchObject({ own: true, device: '', address: '' })
  expect(await waitForEntry(last, 'password-changed')).toMatchObject({
    device: 'Chrome on Windows',
    address: '203.0.113.x',
  })
})

test('enabling a second factor, new codes, a wrong code and disabling are recorded with the device', async () => {
  const visitor = new WindowsBrowser()
  const tokens = await signInAtProvider(deployment.env, FAY, visitor)
  const page = new URL('/account/second-factor', deployment.env.PROVIDER_ORIGIN)
  const post = async (fields: Record<string, string>) => await (await submitForm(visitor, page, fields)).text()
  const key = parseTotpKey(await post({ step: 'begin', password: DEMO_PASSWORD }))
  const [first = ''] = parseRecoveryCodes(await post({ step: 'code', code: generateAppCode(key) }))
  await post({ step: 'on', kept: '1' })
  const {
    visitor: other,
    pageUrl,
    html,
  } = await submitPassword(new WindowsBrowser(), deployment.env, FAY, DEMO_PASSWORD)
  await submitForm(other, pageUrl, { ticket: parseTicket(html) ?? '', way: 'code', code: '000000' })
  const [renewed = ''] = parseRecoveryCodes(await post({ step: 'renew', password: first }))
  await post({ step: 'off', password: renewed })

  const deviceInfo = { own: true, device: 'Chrome on Windows', address: '203.0.113.x' }
  expect(await waitForEntry(tokens, 'second-factor-on')).toMatchObject(deviceInfo)
  expect(await waitForEntry(tokens, 'recovery-codes')).toMatchObject(deviceInfo)
  expect(await waitForEntry(tokens, 'sign-in-refused')).toMatchObject({ ...deviceInfo, own: false, value: 'code' })
  expect(await waitForEntry(tokens, 'second-factor-off')).toMatchObject(deviceInfo)
})

test('deleting an account deletes its activity log', async () => {
  const tokens = await signInAtProvider(deployment.env, 'eve@example.com')
  const [row] = (
    await providerEnv.DB.prepare('SELECT user_id FROM accounts WHERE email = ?').bind('eve@example.com').all<{
      user_id: string
    }>()
  ).results
  await waitForEntry(tokens, 'sign-in')
  const { status } = await fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/eve@example.com`, {
    method: 'DELETE',
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
  })
  expect(status).toBe(200)
  const log = providerEnv.ACTIVITY.getByName(`user:${row?.user_id}`)
  expect(await log.list({ kinds: null, before: null, limit: 10 }, Date.now())).toEqual([])
})

test('no log contains a password, token, ticket or cookie from the requests', async () => {
  const visitor = new WindowsBrowser()
  await tryPassword(ANN, 'canary-wrong-password', visitor)
  const tokens = await signInAtProvider(deployment.env, ANN, visitor)
  const next = (await (await refreshTokens(deployment.env, tokens.refresh_token)).json()) as Tokens
  await waitForEntry(next, 'sign-in-refused')
  await waitForEntry(next, 'sign-in', ({ device }) => device.startsWith('Chrome'))
  const cookies = [...visitor.cookies.values()].flatMap((jar) => [...jar.values()])
  const secrets = [tokens, next].flatMap((tokenSet) => [
    tokenSet.access_token,
    tokenSet.refresh_token,
    tokenSet.id_token,
  ])
  const canaries = [...secrets, ...cookies, 'canary-wrong-password', DEMO_PASSWORD, visitor.address, USER_AGENT]
  expect(canaries.filter((canary) => canary.length > 8).length).toBeGreaterThan(8)
  const { results } = await providerEnv.DB.prepare('SELECT user_id FROM accounts').all<{ user_id: string }>()
  const logs = results.map(({ user_id }) => providerEnv.ACTIVITY.getByName(`user:${user_id}`))
  const all = await Promise.all(logs.map((log) => log.list({ kinds: null, before: null, limit: 20_000 }, Date.now())))
  const text = JSON.stringify(all)
  expect(text).toContain('203.0.113.x')
  expect(canaries.filter((canary) => canary.length > 8 && text.includes(canary))).toEqual([])
})
