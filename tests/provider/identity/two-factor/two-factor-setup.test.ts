import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAccountDeletion } from '../../../../contract/account/account-deletion.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { refreshTokens, sendCallAsEdge, submitForm } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseAlert,
  parseRecoveryCodes,
  finishSignIn,
  submitPassword,
} from '../../../support/second-factor.ts'
import { VisitorWithAddress, type Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'correct horse'
let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ DEMO: '0', TRUST_PROXY: '1' }) })
})
afterAll(() => deployment.close())

const createVisitor = () => new VisitorWithAddress(deployment.env.PORTAL_ORIGIN)
const getDatabase = async () => ((await deployment.provider.getWorker().getEnv()) as Env).DB
const fetchUserMeStatus = async (token: string) => (await sendCallAsEdge(deployment.env, userMe, token)).status
const getSetupPageUrl = () => new URL('/account/second-factor', deployment.env.PROVIDER_ORIGIN)
const postSetupForm = async (visitor: Visitor, fields: Record<string, string>) =>
  (await submitForm(visitor, getSetupPageUrl(), fields)).text()
const openSetupPage = async (visitor: Visitor) => (await visitor.navigate(getSetupPageUrl().href)).text()

let accountNumber = 0
let email: string
beforeEach(async () => {
  email = `maya${(accountNumber += 1)}@example.com`
  await addQuickAccount(await getDatabase(), email, PASSWORD)
})

const typeAccountPassword = (visitor = createVisitor()) => submitPassword(visitor, deployment.env, email, PASSWORD)
async function signIn(visitor: VisitorWithAddress) {
  const submitted = await typeAccountPassword(visitor)
  return await finishSignIn(deployment.env, submitted, submitted.answer.headers.get('location') ?? '')
}
async function setUpTwoFactor(visitor: Visitor) {
  const key = parseTotpKey(await postSetupForm(visitor, { step: 'begin', password: PASSWORD }))
  const codes = parseRecoveryCodes(await postSetupForm(visitor, { step: 'code', code: generateAppCode(key) }))
  await postSetupForm(visitor, { step: 'on', kept: '1' })
  return { key, codes }
}

describe('two-factor setup', () => {
  test('runs only the script of its copy and print buttons', async () => {
    const visitor = createVisitor()
    await signIn(visitor)
    const policy = (await visitor.navigate(getSetupPageUrl().href)).headers.get('content-security-policy')
    const script = `${deployment.env.PROVIDER_ORIGIN}/assets/two-factor.js`
    expect(policy).toContain(`script-src ${script};`)
    expect((await fetch(script)).headers.get('content-type')).toMatch(/^text\/javascript/)
  })

  test('requires the password, a one-time code and the checkbox, and takes effect only at the end', async () => {
    const visitor = createVisitor()
    await signIn(visitor)
    expect(await openSetupPage(visitor)).toContain('value="begin"')
    expect(parseAlert(await postSetupForm(visitor, { step: 'begin', password: 'wrong' }))).toMatch(/wrong/i)

    const first = await postSetupForm(visitor, { step: 'begin', password: PASSWORD })
    const key = parseTotpKey(first)
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    expect(first).toMatch(/<svg class="qr"[^>]*role="img"/)
    expect(parseRecoveryCodes(first)).toEqual([])
    // The script shows these buttons, so they are hidden in the document.
    expect(first).toMatch(new RegExp(`<button[^>]* data-copy="${key}" hidden>`))
    expect((await typeAccountPassword()).answer.headers.get('location')).not.toBeNull()

    expect(parseAlert(await postSetupForm(visitor, { step: 'code', code: '000000' }))).toMatch(/\b4 attempts\b/)
    const third = await postSetupForm(visitor, { step: 'code', code: generateAppCode(key) })
    const codes = parseRecoveryCodes(third)
    expect(new Set(codes).size).toBe(10)
    expect(third).toMatch(/data-print hidden/)
    expect(third).toContain(`data-copy="${codes.join('\n')}" hidden`)
    expect((await typeAccountPassword()).answer.headers.get('location')).not.toBeNull()

    const unticked = await postSetupForm(visitor, { step: 'on' })
    expect(parseAlert(unticked)).toMatch(/check the box/)
    expect(parseRecoveryCodes(unticked)).toHaveLength(10)
    expect(parseRecoveryCodes(unticked)).not.toContain(codes[0])
    expect((await typeAccountPassword()).answer.headers.get('location')).not.toBeNull()

    expect(parseAlert(await postSetupForm(visitor, { step: 'on', kept: '1' }))).toBeUndefined()
    const submitted = await typeAccountPassword()
    expect(submitted.answer.headers.get('location')).toBeNull()
    expect(submitted.html).toContain('Enter the 6-digit code')
  })

  test('cannot be completed without a one-time code', async () => {
    const visitor = createVisitor()
    await signIn(visitor)
    await postSetupForm(visitor, { step: 'begin', password: PASSWORD })
    await postSetupForm(visitor, { step: 'on', kept: '1' })
    expect((await typeAccountPassword()).answer.headers.get('location')).not.toBeNull()
  })

  test('keeps this browser signed in and ends every other sign-in of the account', async () => {
    const [currentVisitor, otherVisitor] = [createVisitor(), createVisitor()]
    const [mine, other] = [await signIn(currentVisitor), await signIn(otherVisitor)]
    // The account's object caches both tokens.
    for (const { access_token } of [mine, other]) expect(await fetchUserMeStatus(access_token)).toBe(200)
    await setUpTwoFactor(currentVisitor)
    expect(await fetchUserMeStatus(mine.access_token)).toBe(200)
    const account = await sendCallAsEdge(deployment.env, getAccountDeletion, mine.access_token)
    expect(await account.json()).toMatchObject({ data: { has_two_step: true } })
    expect(await fetchUserMeStatus(other.access_token)).toBe(401)
    expect((await refreshTokens(deployment.env, other.refresh_token)).status).toBe(400)
  })

  test('requires a signed-in account and rejects forms from another site', async () => {
    expect((await createVisitor().navigate(getSetupPageUrl().href)).status).toBe(403)
    const visitor = createVisitor()
    await signIn(visitor)
    const answer = await visitor.fetch(getSetupPageUrl().href, {
      method: 'POST',
      body: new URLSearchParams({ step: 'begin', password: PASSWORD }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(parseTotpKey(await answer.text())).toBe('')
  })

  test('leaves neither the key nor a recovery code in the database', async () => {
    const visitor = createVisitor()
    await signIn(visitor)
    const { key, codes } = await setUpTwoFactor(visitor)
    const DB = await getDatabase()
    const tables = ['second_factors', 'recovery_codes', 'oidc']
    const text = JSON.stringify(await Promise.all(tables.map((name) => DB.prepare(`SELECT * FROM ${name}`).all())))
    expect(text).toContain('enabled_at')
    for (const secret of [key, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(text).not.toContain(secret)
  })
})
