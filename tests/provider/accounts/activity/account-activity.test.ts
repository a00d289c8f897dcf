import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getActivity, type ActivityEntry } from '../../../../contract/account/activity.ts'
import { ADMIN_PATHS, DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userLogin, userLogout } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { openStage, type Stage } from '../../../support/harness.ts'
import { patience } from '../../../support/patience.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import {
  startFlow,
  resolveRedirects,
  refresh,
  send,
  signIn,
  submitForm,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import { appCode, parseTotpKey, parseRecoveryCodes, parseTicket, typePassword } from '../../../support/second-factor.ts'
import { Visitor } from '../../../support/visitor.ts'

const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const ANN = 'ann@example.com'
const FAY = 'fay@example.com'
let stage: Stage
let bindings: Env
beforeAll(async () => {
  stage = await openStage({ seeded: true, change: () => ({ TRUST_PROXY: '1' }) })
  bindings = (await stage.provider.getWorker().getEnv()) as Env
  for (const email of [ANN, 'bob@example.com', 'carl@example.com', 'dora@example.com', 'eve@example.com', FAY])
    await addQuickAccount(bindings.DB, email, DEMO_PASSWORD)
})
afterAll(() => stage.close())

/** A browser on Windows behind a proxy that forwards its address. */
class Browser extends Visitor {
  readonly address: string
  constructor(address = '203.0.113.77') {
    super(stage.env.PORTAL_ORIGIN)
    this.address = address
  }
  override fetch(address: string, init: Parameters<Visitor['fetch']>[1] = {}): Promise<Response> {
    const headers = { ...init.headers, 'user-agent': USER_AGENT, 'cf-connecting-ip': this.address }
    return super.fetch(address, { ...init, headers })
  }
}

async function read(tokens: Pick<Tokens, 'access_token'>): Promise<ActivityEntry[]> {
  const answer = await send(stage.env, getActivity, tokens.access_token)
  return v.parse(getActivity.response, await answer.json()).data.entries
}
/** Waits for an entry: entries are written after the response. */
async function found(tokens: Tokens, kind: string, is: (entry: ActivityEntry) => boolean = () => true) {
  return await vi.waitFor(async () => {
    const entry = (await read(tokens)).find((candidate) => candidate.kind === kind && is(candidate))
    expect(entry).toBeDefined()
    return entry!
  }, patience)
}
async function tryPassword(email: string, password: string, visitor: Visitor): Promise<Response> {
  const { at } = await resolveRedirects(visitor, stage.env, startFlow(stage.env).url)
  return await submitSignIn(visitor, at, email, password)
}

describe('sign-in in the activity log', () => {
  test('records browser, operating system and network, but not the full IP address', async () => {
    const tokens = await signIn(stage.env, ANN, new Browser())
    const entry = await found(tokens, 'sign-in', ({ device }) => device.startsWith('Chrome'))
    expect(entry).toMatchObject({ own: true, who: ANN, device: 'Chrome on Windows', address: '203.0.113.x' })
  })

  test('counts failed attempts per network and hour, from the sign-in page and the call', async () => {
    const email = 'bob@example.com'
    for (const ip of ['198.51.100.1', '198.51.100.2']) await tryPassword(email, 'wrong horse', new Browser(ip))
    await fetch(`${stage.env.PROVIDER_ORIGIN}${userLogin.path}?source=test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': '2001:db8:7:8::9', 'user-agent': USER_AGENT },
      body: JSON.stringify({ email, password: 'wrong horse' }),
    })
    const tokens = await signIn(stage.env, email)
    const six = await found(tokens, 'sign-in-refused', ({ address }) => address === '2001:db8:7::')
    expect(six).toMatchObject({ count: 1, who: null, own: false, value: 'password', device: 'Chrome on Windows' })
    await vi.waitFor(async () => {
      const four = (await read(tokens)).filter(({ address }) => address === '198.51.100.x')
      expect(four.reduce((sum, { count }) => sum + count, 0)).toBe(2)
      // The log has two entries if the hour changes between the attempts.
      expect(four.length).toBeLessThanOrEqual(2)
    }, patience)
  })

  test('records an attempt that was rate limited', async () => {
    const email = 'carl@example.com'
    const tokens = await signIn(stage.env, email)
    for (let n = 0; n < 11; n++) await tryPassword(email, 'wrong horse', new Browser('198.51.100.7'))
    expect(await found(tokens, 'sign-in-limited')).toMatchObject({
      address: '198.51.100.x',
      who: null,
      value: 'password',
    })
  })

  test('leaves no entry for an email address without an account', async () => {
    await tryPassword('nobody@example.com', 'wrong horse', new Browser())
    await tryPassword(ANN, 'wrong horse', new Browser('192.0.2.9'))
    const tokens = await signIn(stage.env, ANN)
    await found(tokens, 'sign-in-refused', ({ address }) => address === '192.0.2.x')
    expect(JSON.stringify(await read(tokens))).not.toContain('nobody')
  })
})

test('the end of a sign-in is recorded: by sign-out, refresh token reuse or a new password', async () => {
  const email = 'dora@example.com'
  const first = await signIn(stage.env, email)
  await send(stage.env, userLogout, first.access_token)

  const copied = await signIn(stage.env, email)
  const second = (await (await refresh(stage.env, copied.refresh_token)).json()) as Tokens
  await refresh(stage.env, second.refresh_token)
  expect((await refresh(stage.env, copied.refresh_token)).status).toBe(400)

  const visitor = new Browser()
  const last = await signIn(stage.env, email, visitor)
  const password = new URL('/account/password', stage.env.PROVIDER_ORIGIN)
  const fields = { old: DEMO_PASSWORD, password: 'another horse', repeat: 'another horse' }
  expect((await submitForm(visitor, password, fields)).status).toBe(200)

  await found(last, 'sign-out')
  expect(await found(last, 'refresh-reuse')).toMatchObject({ own: true, device: '', address: '' })
  expect(await found(last, 'password-changed')).toMatchObject({ device: 'Chrome on Windows', address: '203.0.113.x' })
})

test('enabling a second factor, new codes, a wrong code and disabling are recorded with the device', async () => {
  const visitor = new Browser()
  const tokens = await signIn(stage.env, FAY, visitor)
  const page = new URL('/account/second-factor', stage.env.PROVIDER_ORIGIN)
  const post = async (fields: Record<string, string>) => await (await submitForm(visitor, page, fields)).text()
  const key = parseTotpKey(await post({ step: 'begin', password: DEMO_PASSWORD }))
  const [first = ''] = parseRecoveryCodes(await post({ step: 'code', code: appCode(key) }))
  await post({ step: 'on', kept: '1' })
  const { visitor: other, at, html } = await typePassword(new Browser(), stage.env, FAY, DEMO_PASSWORD)
  await submitForm(other, at, { ticket: parseTicket(html) ?? '', way: 'code', code: '000000' })
  const [renewed = ''] = parseRecoveryCodes(await post({ step: 'renew', password: first }))
  await post({ step: 'off', password: renewed })

  const here = { own: true, device: 'Chrome on Windows', address: '203.0.113.x' }
  expect(await found(tokens, 'second-factor-on')).toMatchObject(here)
  expect(await found(tokens, 'recovery-codes')).toMatchObject(here)
  expect(await found(tokens, 'sign-in-refused')).toMatchObject({ ...here, own: false, value: 'code' })
  expect(await found(tokens, 'second-factor-off')).toMatchObject(here)
})

test('deleting an account deletes its activity log', async () => {
  const tokens = await signIn(stage.env, 'eve@example.com')
  const [row] = (
    await bindings.DB.prepare('SELECT user_id FROM accounts WHERE email = ?').bind('eve@example.com').all<{
      user_id: string
    }>()
  ).results
  await found(tokens, 'sign-in')
  const { status } = await fetch(`${stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/eve@example.com`, {
    method: 'DELETE',
    headers: { authorization: `Admin ${stage.env.ADMIN_KEY}` },
  })
  expect(status).toBe(200)
  const log = bindings.ACTIVITY.getByName(`user:${row?.user_id}`)
  expect(await log.list({ kinds: null, before: null, limit: 10 }, Date.now())).toEqual([])
})

test('no log contains a password, token, ticket or cookie from the requests', async () => {
  const visitor = new Browser()
  await tryPassword(ANN, 'canary-wrong-password', visitor)
  const tokens = await signIn(stage.env, ANN, visitor)
  const next = (await (await refresh(stage.env, tokens.refresh_token)).json()) as Tokens
  await found(next, 'sign-in-refused')
  await found(next, 'sign-in', ({ device }) => device.startsWith('Chrome'))
  const cookies = [...visitor.cookies.values()].flatMap((jar) => [...jar.values()])
  const secrets = [tokens, next].flatMap((tokenSet) => [
    tokenSet.access_token,
    tokenSet.refresh_token,
    tokenSet.id_token,
  ])
  const canaries = [...secrets, ...cookies, 'canary-wrong-password', DEMO_PASSWORD, visitor.address, USER_AGENT]
  expect(canaries.filter((canary) => canary.length > 8).length).toBeGreaterThan(8)
  const { results } = await bindings.DB.prepare('SELECT user_id FROM accounts').all<{ user_id: string }>()
  const logs = results.map(({ user_id }) => bindings.ACTIVITY.getByName(`user:${user_id}`))
  const all = await Promise.all(logs.map((log) => log.list({ kinds: null, before: null, limit: 20_000 }, Date.now())))
  const text = JSON.stringify(all)
  expect(text).toContain('203.0.113.x')
  expect(canaries.filter((canary) => canary.length > 8 && text.includes(canary))).toEqual([])
})
