import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { userLogout, userMe } from '../../../contract/auth/user-calls.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import type { Env } from '../../../provider/env.ts'
import {
  startFlow,
  getCallbackUrl,
  resolveRedirects,
  createNonceAt,
  refreshTokens,
  sendCallAsEdge,
  signInAtProvider,
} from '../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { openSocket } from '../../support/socket.ts'
import { Visitor } from '../../support/visitor.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
})
afterAll(() => deployment.close())

const readJson = async (answer: Response) => (await answer.json()) as Record<string, never>
const getBindings = async () => (await deployment.provider.getWorker().getEnv()) as Env

async function fetchUserId(token: string): Promise<string> {
  return (await readJson(await sendCallAsEdge(deployment.env, userMe, token)))['user_id'] ?? ''
}

test('CALL-17 the current user is returned with code, email and id', async () => {
  const { access_token: token } = await signInAtProvider(deployment.env, 'free@example.com')
  const answer = await readJson(await sendCallAsEdge(deployment.env, userMe, token))
  expect(answer).toEqual({
    code: 200,
    user_account: 'free@example.com',
    user_id: expect.stringMatching(/^user_[0-9a-f]{24}$/) as string,
  })
})

describe('sign-out', () => {
  test('CALL-02 revokes the tokens immediately', async () => {
    const tokens = await signInAtProvider(deployment.env)
    expect(await readJson(await sendCallAsEdge(deployment.env, userLogout, tokens.access_token))).toEqual({ code: 200 })
    expect((await sendCallAsEdge(deployment.env, userMe, tokens.access_token)).status).toBe(401)
    expect((await refreshTokens(deployment.env, tokens.refresh_token)).status).toBe(400)
  })

  test('closes the feed that a page of the account has open', async () => {
    const { access_token: token } = await signInAtProvider(deployment.env)
    const answer = await sendCallAsEdge(deployment.env, feedTicket, token, { payload: { nonce: createNonceAt() } })
    const ticket = (await answer.json()) as { data: { url: string } }
    const feed = await openSocket(ticket.data.url, { origin: deployment.env.PORTAL_ORIGIN })
    await sendCallAsEdge(deployment.env, userLogout, token)
    expect(await feed.closeCode).toBe(4401)
  })

  test('makes the next authorization show the password field, which a signed-in browser skips', async () => {
    const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
    const tokens = await signInAtProvider(deployment.env, 'owner@example.com', visitor)
    const silent = await resolveRedirects(visitor, deployment.env, startFlow(deployment.env).url)
    expect(silent.url.searchParams.has('code')).toBe(true)

    await sendCallAsEdge(deployment.env, userLogout, tokens.access_token)

    const { url: pageUrl, answer } = await resolveRedirects(visitor, deployment.env, startFlow(deployment.env).url)
    expect(pageUrl.origin).toBe(deployment.env.PROVIDER_ORIGIN)
    expect(await answer?.text()).toContain('<label for="password">Password</label>')
    const callback = await getCallbackUrl(visitor, deployment.env, startFlow(deployment.env), 'free@example.com')
    expect(callback.searchParams.has('code')).toBe(true)
  })
})

describe('subscriptions', () => {
  test('CALL-08 SUB-14 are readable by their own user', async () => {
    const owner = (await signInAtProvider(deployment.env)).access_token
    const answer = await readJson(
      await sendCallAsEdge(deployment.env, getSubscriptions, owner, { params: { uuid: await fetchUserId(owner) } }),
    )
    expect(answer).toMatchObject({
      code: 200,
      data: { subscriptions: [{ sku: 'unlimited', status: 'active', period: 'annual' }] },
    })
    const free = (await signInAtProvider(deployment.env, 'free@example.com')).access_token
    expect(
      await readJson(
        await sendCallAsEdge(deployment.env, getSubscriptions, free, { params: { uuid: await fetchUserId(free) } }),
      ),
    ).toEqual({ code: 200, data: { subscriptions: [] } })
  })

  test('CALL-08 are rejected with 403 for the id of another user', async () => {
    const [owner, free] = [
      await signInAtProvider(deployment.env),
      await signInAtProvider(deployment.env, 'free@example.com'),
    ]
    const answer = await sendCallAsEdge(deployment.env, getSubscriptions, free.access_token, {
      params: { uuid: await fetchUserId(owner.access_token) },
    })
    expect([answer.status, (await readJson(answer))['code']]).toEqual([403, 403])
  })
})

describe('operator calls', () => {
  const sendSeedRequest = (key: string) =>
    fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.seed}`, {
      method: 'POST',
      headers: { authorization: `Admin ${key}` },
    })

  test('are rejected without the key', async () => {
    expect((await sendSeedRequest('wrong')).status).toBe(401)
  })

  test('seed again without changing anything', async () => {
    const before = await fetchUserId((await signInAtProvider(deployment.env)).access_token)
    expect((await sendSeedRequest(deployment.env.ADMIN_KEY)).status).toBe(200)
    expect(await fetchUserId((await signInAtProvider(deployment.env)).access_token)).toBe(before)
    const { DB } = await getBindings()
    const { results } = await DB.prepare('SELECT count(*) AS n FROM subscriptions GROUP BY user_id HAVING user_id = ?')
      .bind(before)
      .all()
    expect(results).toEqual([{ n: 1 }])
  })

  test.each([
    ['invalid characters in the id', 'a%2Fb', { key_hash: 'a'.repeat(64), name: 'Bridge', homes: ['home_owner'] }],
    ['a malformed key hash', 'bridge_1', { key_hash: 'A', name: 'Bridge', homes: ['home_owner'] }],
    ['no home', 'bridge_1', { key_hash: 'a'.repeat(64), name: 'Bridge', homes: [] }],
  ])('enroll no bridge with %s', async (_, id, body) => {
    const answer = await fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.bridges}/${id}`, {
      method: 'PUT',
      headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(400)
  })
})
