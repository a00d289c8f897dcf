import { afterAll, beforeAll, expect, test } from 'vitest'
import { getHomes } from '../../../../contract/cameras/devices.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import {
  refreshTokens,
  resolveRedirects,
  signInAtProvider,
  sendCallAsEdge,
  startFlow,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import { Visitor } from '../../../support/visitor.ts'

/** Provider that had demo accounts and then runs without them, as after a change from loopback to a public origin. */
let deployment: TestDeployment
let demoTokens: Tokens
let demoVisitor: Visitor
const ownPassword = 'a long own password'

beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  demoVisitor = new Visitor(deployment.env.PORTAL_ORIGIN)
  demoTokens = await signInAtProvider(deployment.env, 'owner@example.com', demoVisitor)
  await callOperator(deployment.env, 'POST', ADMIN_PATHS.accounts, { email: 'me@example.org', password: ownPassword })
  await deployment.provider.restart({ ...deployment.env, DEMO: '0' })
})
afterAll(() => deployment.close())

async function signIn(email: string, password: string): Promise<Response> {
  const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
  const { url } = await resolveRedirects(visitor, deployment.env, startFlow(deployment.env).url)
  return submitSignIn(visitor, url, email, password)
}

test('a demo account cannot sign in where strangers can reach the provider', async () => {
  const page = await signIn('owner@example.com', DEMO_PASSWORD)
  expect([page.status, page.headers.get('location')]).toEqual([200, null])
  expect(await page.text()).toContain('Demo accounts can’t log in here. Use your own account.')
  expect((await signIn('me@example.org', ownPassword)).status).toBe(303)
})

test('a demo account with a wrong password gets the usual message', async () => {
  expect(await (await signIn('owner@example.com', 'wrong password')).text()).toContain('Wrong email or password.')
})

test('an earlier sign-in of a demo account ends', async () => {
  const answer = await refreshTokens(deployment.env, demoTokens.refresh_token)
  expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
})

test('an access token from an earlier sign-in of a demo account is rejected', async () => {
  const { status } = await sendCallAsEdge(deployment.env, getHomes, demoTokens.access_token)
  expect(status).toBe(401)
})

test('an earlier sign-in of a demo account opens no page of its account', async () => {
  const page = await demoVisitor.navigate(`${deployment.env.PROVIDER_ORIGIN}/account/second-factor`)
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('Log in first')])
})
