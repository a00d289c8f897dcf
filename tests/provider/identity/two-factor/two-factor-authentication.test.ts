import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { encryptText } from '../../../../provider/platform/crypto/encrypt-text.ts'
import { refresh, send, submitForm } from '../../../support/provider.ts'
import { openStage, type Stage } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import {
  appCode,
  parseTotpKey,
  parseAlert,
  parseRecoveryCodes,
  parseTicket,
  tokensAt,
  typePassword,
  type Typed,
} from '../../../support/second-factor.ts'
import { Person, type Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'correct horse'
let stage: Stage
beforeAll(async () => {
  stage = await openStage({ change: () => ({ DEMO: '0', TRUST_PROXY: '1' }) })
})
afterAll(() => stage.close())

const person = () => new Person(stage.env.PORTAL_ORIGIN)
const db = async () => ((await stage.provider.getWorker().getEnv()) as Env).DB
const me = async (token: string) => (await send(stage.env, userMe, token)).status
const admin = (method: string, path: string, body?: object) =>
  fetch(stage.env.PROVIDER_ORIGIN + path, {
    method,
    headers: { authorization: `Admin ${stage.env.ADMIN_KEY}` },
    ...(body && { body: JSON.stringify(body) }),
  })
const page = () => new URL('/account/second-factor', stage.env.PROVIDER_ORIGIN)
const post = async (visitor: Visitor, fields: Record<string, string>) =>
  (await submitForm(visitor, page(), fields)).text()
const open = async (visitor: Visitor) => (await visitor.navigate(page().href)).text()
/** Moves the last used code ten steps of 30 s into the past, so that the provider accepts the current code. */
const later = async () => (await db()).prepare('UPDATE second_factors SET last_step = last_step - 10').run()

let number = 0
let email: string
beforeEach(async () => {
  email = `maya${(number += 1)}@example.com`
  await addQuickAccount(await db(), email, PASSWORD)
})

const typed = (visitor = person()) => typePassword(visitor, stage.env, email, PASSWORD)
const second = (at: Typed, fields: Record<string, string>) =>
  submitForm(at.visitor, at.at, { ticket: parseTicket(at.html) ?? '', ...fields })
async function signIn(visitor = person()) {
  const at = await typed(visitor)
  return await tokensAt(stage.env, at, at.answer.headers.get('location') ?? '')
}
async function setUp(visitor: Visitor) {
  const key = parseTotpKey(await post(visitor, { step: 'begin', password: PASSWORD }))
  const codes = parseRecoveryCodes(await post(visitor, { step: 'code', code: appCode(key) }))
  const html = await post(visitor, { step: 'on', kept: '1' })
  await later()
  return { key, codes, html }
}

describe('two-factor setup', () => {
  test('requires the password, a one-time code and the checkbox, and takes effect only at the end', async () => {
    const visitor = person()
    await signIn(visitor)
    expect(await open(visitor)).toContain('value="begin"')
    expect(parseAlert(await post(visitor, { step: 'begin', password: 'wrong' }))).toMatch(/not right/)

    const first = await post(visitor, { step: 'begin', password: PASSWORD })
    const key = parseTotpKey(first)
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    expect(first).toMatch(/<svg class="qr"[^>]*role="img"/)
    expect(parseRecoveryCodes(first)).toEqual([])
    expect((await typed()).answer.headers.get('location')).not.toBeNull()

    expect(parseAlert(await post(visitor, { step: 'code', code: '000000' }))).toMatch(/\b4 tries\b/)
    const codes = parseRecoveryCodes(await post(visitor, { step: 'code', code: appCode(key) }))
    expect(new Set(codes).size).toBe(10)
    expect((await typed()).answer.headers.get('location')).not.toBeNull()

    const unticked = await post(visitor, { step: 'on' })
    expect(parseAlert(unticked)).toMatch(/Tick the box/)
    expect(parseRecoveryCodes(unticked)).toHaveLength(10)
    expect(parseRecoveryCodes(unticked)).not.toContain(codes[0])
    expect((await typed()).answer.headers.get('location')).not.toBeNull()

    expect(parseAlert(await post(visitor, { step: 'on', kept: '1' }))).toBeUndefined()
    const at = await typed()
    expect(at.answer.headers.get('location')).toBeNull()
    expect(at.html).toContain('Type the 6 digits')
  })

  test('cannot be completed without a one-time code', async () => {
    const visitor = person()
    await signIn(visitor)
    await post(visitor, { step: 'begin', password: PASSWORD })
    await post(visitor, { step: 'on', kept: '1' })
    expect((await typed()).answer.headers.get('location')).not.toBeNull()
  })

  test('keeps this browser signed in and ends every other sign-in of the account', async () => {
    const [here, there] = [person(), person()]
    const [mine, other] = [await signIn(here), await signIn(there)]
    await setUp(here)
    expect(await me(mine.access_token)).toBe(200)
    expect(await me(other.access_token)).toBe(401)
    expect((await refresh(stage.env, other.refresh_token)).status).toBe(400)
  })

  test('requires a signed-in account and rejects forms from another site', async () => {
    expect((await person().navigate(page().href)).status).toBe(403)
    const visitor = person()
    await signIn(visitor)
    const answer = await visitor.fetch(page().href, {
      method: 'POST',
      body: new URLSearchParams({ step: 'begin', password: PASSWORD }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(parseTotpKey(await answer.text())).toBe('')
  })

  test('leaves neither the key nor a recovery code in the database', async () => {
    const visitor = person()
    await signIn(visitor)
    const { key, codes } = await setUp(visitor)
    const DB = await db()
    const tables = ['second_factors', 'recovery_codes', 'oidc']
    const text = JSON.stringify(await Promise.all(tables.map((name) => DB.prepare(`SELECT * FROM ${name}`).all())))
    expect(text).toContain('enabled_at')
    for (const secret of [key, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(text).not.toContain(secret)
  })
})

let visitor: Person
let key: string
let codes: string[]
async function withFactor(): Promise<void> {
  visitor = person()
  await signIn(visitor)
  ;({ key, codes } = await setUp(visitor))
}

describe('two-factor sign-in', () => {
  beforeEach(withFactor)

  test('succeeds with a one-time code, which works only once', async () => {
    const first = await typed()
    expect(first.html).toContain('autocomplete="one-time-code"')
    const code = appCode(key)
    const answer = await second(first, { way: 'code', code })
    expect(await me((await tokensAt(stage.env, first, answer.headers.get('location') ?? '')).access_token)).toBe(200)

    const again = await second(await typed(), { way: 'code', code })
    expect(again.headers.get('location')).toBeNull()
    expect(parseAlert(await again.text())).toMatch(/\b4 tries\b/)
  })

  test('accepts the previous, current and next code, but none further away', async () => {
    const outcome = async (steps: number) => {
      await later()
      const answer = await second(await typed(), { way: 'code', code: appCode(key, steps) })
      return answer.headers.has('location')
    }
    // Four steps leave a margin: if a 30 s step ends during the test, the code is only three steps away.
    expect([await outcome(-4), await outcome(4), await outcome(0)]).toEqual([false, false, true])
  })

  test('accepts each recovery code once in any spelling and shows how many are left', async () => {
    const at = await typed()
    const recoveryPage = await (await second(at, { show: 'recovery' })).text()
    expect(recoveryPage).toContain('Recovery code</label>')
    const code = (codes[3] ?? '').toLowerCase().replaceAll('-', ' ')
    const html = await (await second(at, { way: 'recovery', code })).text()
    expect(html).toContain('9 recovery codes are left')
    const next = /class="primary" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(await me((await tokensAt(stage.env, at, next)).access_token)).toBe(200)

    const again = await (await second(await typed(), { way: 'recovery', code })).text()
    expect(parseAlert(again)).toMatch(/was used before\. 4 tries are left/)
  })

  test('checks five of twenty concurrent codes, shows the wait, and accepts a code after that', async () => {
    const visitor = person()
    const at = await typed(visitor)
    const answers = await Promise.all(Array.from({ length: 20 }, () => second(at, { way: 'code', code: '000000' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const limited = await second(at, { way: 'code', code: appCode(key) })
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(parseAlert(await limited.text())).toMatch(/\b\d minutes\b/)
    const name = `factor:${visitor.address} ${await userId()}`
    const counter = await stage.provider.getWorker().getDurableObjectStorage('GUARDS', { name })
    await counter.exec("UPDATE attempts SET until = until - 300000 WHERE action = 'factor'")
    expect((await second(at, { way: 'code', code: appCode(key) })).headers.has('location')).toBe(true)
  })

  test('reserves attempts for the owner in a browser that has signed in before', async () => {
    const thief = await typed()
    for (let n = 0; n < 6; n++) await second(thief, { way: 'code', code: '000000' })
    const mine = person()
    for (const name of visitor
      .cookieNames(stage.env.PROVIDER_ORIGIN)
      .filter((cookieName) => cookieName.startsWith('known_')))
      mine.setCookie(name, visitor.cookie(name, stage.env.PROVIDER_ORIGIN) ?? '', stage.env.PROVIDER_ORIGIN)
    const answer = await second(await typed(mine), { way: 'code', code: appCode(key) })
    expect(answer.headers.has('location')).toBe(true)
  })

  test('rejects the password ticket for another sign-in and after a password change', async () => {
    const [at, other] = [await typed(), await typed()]
    const stolen = await submitForm(other.visitor, other.at, {
      ticket: parseTicket(at.html) ?? '',
      way: 'code',
      code: appCode(key),
    })
    expect(parseAlert(await stolen.text())).toMatch(/Type your password again/)
    const made = await second({ ...at, html: 'name="ticket" value="AAAA"' }, { way: 'code', code: appCode(key) })
    expect(parseAlert(await made.text())).toMatch(/Type your password again/)
    await admin('PUT', `${ADMIN_PATHS.accounts}/${email}`, { password: 'another horse' })
    const late = await second(at, { way: 'code', code: appCode(key) })
    expect(late.headers.has('location')).toBe(false)
  })

  test('rejects an expired ticket', async () => {
    const at = await typed()
    const row = await (
      await db()
    )
      .prepare('SELECT user_id AS userId, password_hash AS hash FROM accounts WHERE email = ?')
      .bind(email)
      .first<{ userId: string; hash: string }>()
    const until = async (ms: number) => {
      const ticket = { userId: row?.userId, password: row?.hash.slice(-12), until: Date.now() + ms }
      const purpose = `sign-in ${at.at.pathname.split('/').at(-1)}`
      const sealed = await encryptText(stage.env.FACTOR_KEY, purpose, JSON.stringify(ticket))
      return await second({ ...at, html: `name="ticket" value="${sealed}"` }, { way: 'code', code: appCode(key) })
    }
    expect(parseAlert(await (await until(-1)).text())).toMatch(/longer than ten minutes/)
    expect((await until(60_000)).headers.has('location')).toBe(true)
  })
})

describe('enabled two-factor authentication', () => {
  beforeEach(withFactor)
  const isOn = async () => !(await typed()).answer.headers.has('location')

  test('is turned off by the password, but not by a wrong password or code', async () => {
    expect(parseAlert(await post(visitor, { step: 'off', password: 'wrong' }))).toMatch(/not right/)
    expect(parseAlert(await post(visitor, { step: 'off', password: '000000' }))).toMatch(/tries are left/)
    expect(await isOn()).toBe(true)
    expect(parseAlert(await post(visitor, { step: 'off', password: PASSWORD }))).toBeUndefined()
    expect(await isOn()).toBe(false)
  })

  test('is turned off by a one-time code or a recovery code', async () => {
    await post(visitor, { step: 'off', password: appCode(key) })
    expect(await isOn()).toBe(false)
    ;({ codes } = await setUp(visitor))
    await post(visitor, { step: 'off', password: codes[0] ?? '' })
    expect(await isOn()).toBe(false)
  })

  test('issues new recovery codes and invalidates the earlier ones', async () => {
    const fresh = parseRecoveryCodes(await post(visitor, { step: 'renew', password: PASSWORD }))
    expect(fresh).toHaveLength(10)
    const use = async (code = '') => (await second(await typed(), { way: 'recovery', code })).text()
    expect(parseAlert(await use(codes[0]))).toMatch(/not right/)
    expect(await use(fresh[0])).toContain('9 recovery codes are left')
  })

  test('can be reset by the operator, which ends existing sign-ins', async () => {
    const at = await typed()
    const answer = await second(at, { way: 'code', code: appCode(key) })
    const { access_token: token } = await tokensAt(stage.env, at, answer.headers.get('location') ?? '')
    const path = `${ADMIN_PATHS.accounts}/${email}/second-factor`
    expect((await admin('DELETE', path)).status).toBe(200)
    expect(await me(token)).toBe(401)
    expect(await isOn()).toBe(false)
    expect((await admin('DELETE', path)).status).toBe(409)
  })

  test('is deleted with the account', async () => {
    const id = await userId()
    await addQuickAccount(await db(), 'stays@example.com', PASSWORD)
    expect((await admin('DELETE', `${ADMIN_PATHS.accounts}/${email}`)).status).toBe(200)
    for (const name of ['second_factors', 'recovery_codes']) {
      const left = await (await db()).prepare(`SELECT count(*) AS n FROM ${name} WHERE user_id = ?`).bind(id).first('n')
      expect([name, left]).toEqual([name, 0])
    }
  })
})

async function userId(): Promise<string> {
  return (await (await db()).prepare('SELECT user_id FROM accounts WHERE email = ?').bind(email).first('user_id')) ?? ''
}
