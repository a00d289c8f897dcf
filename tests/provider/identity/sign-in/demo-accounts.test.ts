import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import {
  refreshTokens,
  resolveRedirects,
  signInAtProvider,
  startFlow,
  submitSignIn,
} from '../../../support/provider.ts'
import { Visitor } from '../../../support/visitor.ts'

/** Provider that had demo accounts and then runs without them, as after a change from loopback to a public origin. */
let deployment: TestDeployment
let demoRefreshToken: string
const ownPassword = 'a long own password'

beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  demoRefreshToken = (await signInAtProvider(deployment.env)).refresh_token
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
  const answer = await refreshTokens(deployment.env, demoRefreshToken)
  expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
})
