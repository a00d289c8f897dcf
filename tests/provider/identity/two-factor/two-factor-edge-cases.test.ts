import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { submitForm } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { generateAppCode, parseTotpKey, submitPassword } from '../../../support/second-factor.ts'
import { Visitor } from '../../../support/visitor.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
})
afterAll(() => deployment.close())

const getSetupPageUrl = () => new URL('/account/second-factor', deployment.env.PROVIDER_ORIGIN)
const getDatabase = async () => ((await deployment.provider.getWorker().getEnv()) as Env).DB
async function openSignedInVisitor(email: string): Promise<Visitor> {
  const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
  const { pageUrl, answer } = await submitPassword(visitor, deployment.env, email, DEMO_PASSWORD)
  await visitor.navigate(new URL(answer.headers.get('location') ?? '', pageUrl).href)
  return visitor
}

test('a demo account, which many people share, cannot add a second factor and sees why', async () => {
  const visitor = await openSignedInVisitor('owner@example.com')
  expect(await (await visitor.navigate(getSetupPageUrl().href)).text()).toContain('demo account')
  const setupPage = await submitForm(visitor, getSetupPageUrl(), { step: 'begin', password: DEMO_PASSWORD })
  expect(parseTotpKey(await setupPage.text())).toBe('')
})

test('user/login asks for no second factor: it says where to sign in instead, and sets no session', async () => {
  await (await getDatabase()).prepare("UPDATE accounts SET demo = 0 WHERE email = 'free@example.com'").run()
  const owner = await openSignedInVisitor('free@example.com')
  const setupPage = await submitForm(owner, getSetupPageUrl(), { step: 'begin', password: DEMO_PASSWORD })
  await submitForm(owner, getSetupPageUrl(), {
    step: 'code',
    code: generateAppCode(parseTotpKey(await setupPage.text())),
  })
  await submitForm(owner, getSetupPageUrl(), { step: 'on', kept: '1' })

  const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
  const answer = await visitor.fetch(`${deployment.env.PROVIDER_ORIGIN}${userLogin.path}?source=web`, {
    method: 'POST',
    body: JSON.stringify({ email: 'free@example.com', password: DEMO_PASSWORD }),
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, await answer.json()]).toEqual([
    403,
    { code: 403, msg: expect.stringMatching(/uses two-step verification/) as string },
  ])
  expect(visitor.listCookieNames(deployment.env.PROVIDER_ORIGIN)).toEqual([])
})
