import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { encryptText } from '../../../../provider/platform/crypto/encrypt-text.ts'
import { sendCallAsEdge, submitForm } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseAlert,
  parseRecoveryCodes,
  parseTicket,
  finishSignIn,
  submitPassword,
  type SubmittedPassword,
} from '../../../support/second-factor.ts'
import { VisitorWithAddress, type Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'correct horse'
let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ DEMO: '0', TRUST_PROXY: '1' }) })
})
afterAll(() => deployment.close())

const createPerson = () => new VisitorWithAddress(deployment.env.PORTAL_ORIGIN)
const getDatabase = async () => ((await deployment.provider.getWorker().getEnv()) as Env).DB
const fetchUserMeStatus = async (token: string) => (await sendCallAsEdge(deployment.env, userMe, token)).status
const sendAdminRequest = (method: string, path: string, body?: object) =>
  fetch(deployment.env.PROVIDER_ORIGIN + path, {
    method,
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
    ...(body && { body: JSON.stringify(body) }),
  })
const getSetupPageUrl = () => new URL('/account/second-factor', deployment.env.PROVIDER_ORIGIN)
const postSetupForm = async (visitor: Visitor, fields: Record<string, string>) =>
  (await submitForm(visitor, getSetupPageUrl(), fields)).text()
/** Moves the last used code ten steps of 30 s into the past, so that the provider accepts the current code. */
const ageLastCode = async () =>
  (await getDatabase()).prepare('UPDATE second_factors SET last_step = last_step - 10').run()

let accountNumber = 0
let email: string
beforeEach(async () => {
  email = `maya${(accountNumber += 1)}@example.com`
  await addQuickAccount(await getDatabase(), email, PASSWORD)
})

const typeAccountPassword = (visitor = createPerson()) => submitPassword(visitor, deployment.env, email, PASSWORD)
const submitSecondFactor = (submitted: SubmittedPassword, fields: Record<string, string>) =>
  submitForm(submitted.visitor, submitted.pageUrl, { ticket: parseTicket(submitted.html) ?? '', ...fields })
async function signIn(visitor = createPerson()) {
  const submitted = await typeAccountPassword(visitor)
  return await finishSignIn(deployment.env, submitted, submitted.answer.headers.get('location') ?? '')
}
async function setUpTwoFactor(visitor: Visitor) {
  const key = parseTotpKey(await postSetupForm(visitor, { step: 'begin', password: PASSWORD }))
  const codes = parseRecoveryCodes(await postSetupForm(visitor, { step: 'code', code: generateAppCode(key) }))
  await postSetupForm(visitor, { step: 'on', kept: '1' })
  await ageLastCode()
  return { key, codes }
}

let visitor: VisitorWithAddress
let key: string
let codes: string[]
async function signInAndSetUpTwoFactor(): Promise<void> {
  visitor = createPerson()
  await signIn(visitor)
  ;({ key, codes } = await setUpTwoFactor(visitor))
}

describe('two-factor sign-in', () => {
  beforeEach(signInAndSetUpTwoFactor)

  test('succeeds with a one-time code, which works only once', async () => {
    const first = await typeAccountPassword()
    expect(first.html).toContain('autocomplete="one-time-code"')
    const code = generateAppCode(key)
    const answer = await submitSecondFactor(first, { way: 'code', code })
    expect(
      await fetchUserMeStatus(
        (await finishSignIn(deployment.env, first, answer.headers.get('location') ?? '')).access_token,
      ),
    ).toBe(200)

    const again = await submitSecondFactor(await typeAccountPassword(), { way: 'code', code })
    expect(again.headers.get('location')).toBeNull()
    expect(parseAlert(await again.text())).toMatch(/\b4 attempts\b/)
  })

  test('accepts the previous, current and next code, but none further away', async () => {
    const outcome = async (steps: number) => {
      await ageLastCode()
      const answer = await submitSecondFactor(await typeAccountPassword(), {
        way: 'code',
        code: generateAppCode(key, steps),
      })
      return answer.headers.has('location')
    }
    // Four steps leave a margin: if a 30 s step ends during the test, the code is only three steps away.
    expect([await outcome(-4), await outcome(4), await outcome(0)]).toEqual([false, false, true])
  })

  test('accepts each recovery code once in any spelling and shows how many are left', async () => {
    const submitted = await typeAccountPassword()
    const recoveryPage = await (await submitSecondFactor(submitted, { show: 'recovery' })).text()
    expect(recoveryPage).toContain('Recovery code</label>')
    const code = (codes[3] ?? '').toLowerCase().replaceAll('-', ' ')
    const html = await (await submitSecondFactor(submitted, { way: 'recovery', code })).text()
    expect(html).toContain('You have 9 recovery codes left')
    const next = /class="primary" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(await fetchUserMeStatus((await finishSignIn(deployment.env, submitted, next)).access_token)).toBe(200)

    const again = await (await submitSecondFactor(await typeAccountPassword(), { way: 'recovery', code })).text()
    expect(parseAlert(again)).toMatch(/was already used\. You have 4 attempts left/)
  })

  test('checks five of twenty concurrent codes, shows the wait, and accepts a code after that', async () => {
    const visitor = createPerson()
    const submitted = await typeAccountPassword(visitor)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submitSecondFactor(submitted, { way: 'code', code: '000000' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const limited = await submitSecondFactor(submitted, { way: 'code', code: generateAppCode(key) })
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(parseAlert(await limited.text())).toMatch(/\b\d minutes\b/)
    const name = `factor:${visitor.address} ${await readUserId()}`
    const counter = await deployment.provider.getWorker().getDurableObjectStorage('GUARDS', { name })
    await counter.exec("UPDATE attempts SET until = until - 300000 WHERE action = 'factor'")
    expect(
      (await submitSecondFactor(submitted, { way: 'code', code: generateAppCode(key) })).headers.has('location'),
    ).toBe(true)
  })

  test('reserves attempts for the owner in a browser that has signed in before', async () => {
    const thief = await typeAccountPassword()
    for (let n = 0; n < 6; n++) await submitSecondFactor(thief, { way: 'code', code: '000000' })
    const mine = createPerson()
    for (const name of visitor
      .listCookieNames(deployment.env.PROVIDER_ORIGIN)
      .filter((cookieName) => cookieName.startsWith('known_')))
      mine.setCookie(
        name,
        visitor.getCookie(name, deployment.env.PROVIDER_ORIGIN) ?? '',
        deployment.env.PROVIDER_ORIGIN,
      )
    const answer = await submitSecondFactor(await typeAccountPassword(mine), {
      way: 'code',
      code: generateAppCode(key),
    })
    expect(answer.headers.has('location')).toBe(true)
  })

  test('rejects the password ticket for another sign-in and after a password change', async () => {
    const [at, other] = [await typeAccountPassword(), await typeAccountPassword()]
    const stolen = await submitForm(other.visitor, other.pageUrl, {
      ticket: parseTicket(at.html) ?? '',
      way: 'code',
      code: generateAppCode(key),
    })
    expect(parseAlert(await stolen.text())).toMatch(/Enter your password again/)
    const forged = await submitSecondFactor(
      { ...at, html: 'name="ticket" value="AAAA"' },
      { way: 'code', code: generateAppCode(key) },
    )
    expect(parseAlert(await forged.text())).toMatch(/Enter your password again/)
    await sendAdminRequest('PUT', `${ADMIN_PATHS.accounts}/${email}`, { password: 'another horse' })
    const late = await submitSecondFactor(at, { way: 'code', code: generateAppCode(key) })
    expect(late.headers.has('location')).toBe(false)
  })

  test('rejects an expired ticket', async () => {
    const at = await typeAccountPassword()
    const row = await (
      await getDatabase()
    )
      .prepare('SELECT user_id AS userId, password_hash AS hash FROM accounts WHERE email = ?')
      .bind(email)
      .first<{ userId: string; hash: string }>()
    const submitTicketExpiringIn = async (ms: number) => {
      const ticket = { userId: row?.userId, password: row?.hash.slice(-12), until: Date.now() + ms }
      const purpose = `sign-in ${at.pageUrl.pathname.split('/').at(-1)}`
      const sealed = await encryptText(deployment.env.FACTOR_KEY, purpose, JSON.stringify(ticket))
      return await submitSecondFactor(
        { ...at, html: `name="ticket" value="${sealed}"` },
        { way: 'code', code: generateAppCode(key) },
      )
    }
    expect(parseAlert(await (await submitTicketExpiringIn(-1)).text())).toMatch(/This login attempt has expired/)
    expect((await submitTicketExpiringIn(60_000)).headers.has('location')).toBe(true)
  })
})

describe('enabled two-factor authentication', () => {
  beforeEach(signInAndSetUpTwoFactor)
  const isTwoFactorOn = async () => !(await typeAccountPassword()).answer.headers.has('location')

  test('is turned off by the password, but not by a wrong password or code', async () => {
    expect(parseAlert(await postSetupForm(visitor, { step: 'off', password: 'wrong' }))).toMatch(/wrong/i)
    expect(parseAlert(await postSetupForm(visitor, { step: 'off', password: '000000' }))).toMatch(/attempts left/)
    expect(await isTwoFactorOn()).toBe(true)
    expect(parseAlert(await postSetupForm(visitor, { step: 'off', password: PASSWORD }))).toBeUndefined()
    expect(await isTwoFactorOn()).toBe(false)
  })

  test('ends the cached tokens of other sign-ins at the next call when it is turned off', async () => {
    const other = await typeAccountPassword()
    const answer = await submitSecondFactor(other, { way: 'code', code: generateAppCode(key) })
    const { access_token: token } = await finishSignIn(deployment.env, other, answer.headers.get('location') ?? '')
    expect(await fetchUserMeStatus(token)).toBe(200)
    expect(parseAlert(await postSetupForm(visitor, { step: 'off', password: PASSWORD }))).toBeUndefined()
    expect(await fetchUserMeStatus(token)).toBe(401)
  })

  test('is turned off by a one-time code or a recovery code', async () => {
    await postSetupForm(visitor, { step: 'off', password: generateAppCode(key) })
    expect(await isTwoFactorOn()).toBe(false)
    ;({ codes } = await setUpTwoFactor(visitor))
    await postSetupForm(visitor, { step: 'off', password: codes[0] ?? '' })
    expect(await isTwoFactorOn()).toBe(false)
  })

  test('issues new recovery codes and invalidates the earlier ones', async () => {
    const fresh = parseRecoveryCodes(await postSetupForm(visitor, { step: 'renew', password: PASSWORD }))
    expect(fresh).toHaveLength(10)
    const submitRecoveryCode = async (code = '') =>
      (await submitSecondFactor(await typeAccountPassword(), { way: 'recovery', code })).text()
    expect(parseAlert(await submitRecoveryCode(codes[0]))).toMatch(/wrong/i)
    expect(await submitRecoveryCode(fresh[0])).toContain('You have 9 recovery codes left')
  })

  test('can be reset by the operator, which ends existing sign-ins', async () => {
    const at = await typeAccountPassword()
    const answer = await submitSecondFactor(at, { way: 'code', code: generateAppCode(key) })
    const { access_token: token } = await finishSignIn(deployment.env, at, answer.headers.get('location') ?? '')
    expect(await fetchUserMeStatus(token)).toBe(200)
    const path = `${ADMIN_PATHS.accounts}/${email}/second-factor`
    expect((await sendAdminRequest('DELETE', path)).status).toBe(200)
    expect(await fetchUserMeStatus(token)).toBe(401)
    expect(await isTwoFactorOn()).toBe(false)
    expect((await sendAdminRequest('DELETE', path)).status).toBe(409)
  })

  test('is deleted with the account', async () => {
    const id = await readUserId()
    await addQuickAccount(await getDatabase(), 'stays@example.com', PASSWORD)
    expect((await sendAdminRequest('DELETE', `${ADMIN_PATHS.accounts}/${email}`)).status).toBe(200)
    for (const name of ['second_factors', 'recovery_codes']) {
      const left = await (
        await getDatabase()
      )
        .prepare(`SELECT count(*) AS n FROM ${name} WHERE user_id = ?`)
        .bind(id)
        .first('n')
      expect([name, left]).toEqual([name, 0])
    }
  })
})

async function readUserId(): Promise<string> {
  return (
    (await (
      await getDatabase()
    )
      .prepare('SELECT user_id FROM accounts WHERE email = ?')
      .bind(email)
      .first('user_id')) ?? ''
  )
}
