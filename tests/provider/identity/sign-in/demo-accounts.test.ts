import { afterAll, beforeAll, expect, test } from 'vitest'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { issueMediaToken } from '../../../../contract/media/media-token.ts'
import { ADMIN_PATHS, DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { signMediaUrl } from '../../../support/home.ts'
import {
  refreshTokens,
  resolveRedirects,
  sendCallAsEdge,
  signInAtProvider,
  startFlow,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import { Visitor } from '../../../support/visitor.ts'

/** Provider that had demo accounts and then runs without them, as after a change from loopback to a public origin. */
let deployment: TestDeployment
let demoTokens: Tokens
let demoVisitor: Visitor
let demoMediaToken: string
const ownPassword = 'a long own password'

beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  demoVisitor = new Visitor(deployment.env.PORTAL_ORIGIN)
  demoTokens = await signInAtProvider(deployment.env, 'owner@example.com', demoVisitor)
  const issued = await sendCallAsEdge(deployment.env, issueMediaToken, demoTokens.access_token)
  demoMediaToken = ((await issued.json()) as { data: { pass: string } }).data.pass
  const statuses = await fetchStatuses()
  // The camera has no frame, so 404 shows that the signature is valid.
  if (statuses.join() !== '200,404,200') throw new Error(`The demo account isn't signed in: ${statuses.join()}.`)
  await callOperator(deployment.env, 'POST', ADMIN_PATHS.accounts, { email: 'me@example.org', password: ownPassword })
  await deployment.provider.restart({ ...deployment.env, DEMO: '0' })
})
afterAll(() => deployment.close())

/** Sends a call with the access token, a signed media URL, and a request for a page that needs the provider's session. */
async function fetchStatuses(): Promise<number[]> {
  const { env } = deployment
  const answers = [
    await sendCallAsEdge(env, userMe, demoTokens.access_token),
    await fetch(signMediaUrl(env, demoMediaToken, 'last', 'door_without_frame')),
    await demoVisitor.navigate(`${env.PROVIDER_ORIGIN}/account/second-factor`),
  ]
  return answers.map(({ status }) => status)
}

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

test('access tokens, media URLs and the provider’s session of a demo account end', async () => {
  expect(await fetchStatuses()).toEqual([401, 403, 403])
  const { url, answer } = await resolveRedirects(demoVisitor, deployment.env, startFlow(deployment.env).url)
  expect([url.origin, url.searchParams.get('code'), answer?.status]).toEqual([
    deployment.env.PROVIDER_ORIGIN,
    null,
    200,
  ])
})
