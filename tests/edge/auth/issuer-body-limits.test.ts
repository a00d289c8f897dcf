import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openEdge, type EdgeStage } from '../../support/edge.ts'
import { patience } from '../../support/patience.ts'
import { startSignIn } from '../../support/sign-in-walk.ts'
import { openForeignIssuer, type ForeignIssuer } from '../../support/foreign-issuer.ts'
import type { Visitor } from '../../support/visitor.ts'

/** Bytes that system buffers between edge and issuer may hold, far below the 300 MB of the response. */
const BUFFERS = 24 * 1024 * 1024
const WAYS = ['endless', 'broken'] as const

let issuer: ForeignIssuer
let edge: EdgeStage
let visitor: Visitor
/** Each start of a sign-in with an endless or truncated discovery document: response status, and bytes sent of it. */
let undiscovered: { status: number; poured: number }[]

beforeAll(async () => {
  edge = await openEdge(async (env) => {
    issuer = await openForeignIssuer(env.PORTAL_ORIGIN)
    return issuer.settings
  })
  visitor = edge.visitor()
  await visitor.get('/api/auth/me')
  undiscovered = []
  for (const how of WAYS) {
    issuer.spoil('/.well-known/openid-configuration', how)
    const { status } = await visitor.post('/api/auth/authorize', { state: '/live', kount_session_id: 'test-device' })
    undiscovered.push({ status, poured: issuer.poured() })
  }
})
afterAll(async () => {
  await edge.close()
  await issuer.close()
})
beforeEach(() => {
  visitor = edge.visitor()
  issuer.spoil(null)
})

/** Follows the issuer's pages to the callback. Returns the URL that the callback redirects to. */
async function signIn(): Promise<string> {
  let at = await startSignIn(visitor, '/live')
  while (at.origin !== edge.portal) {
    const location = (await visitor.navigate(at.href)).headers.get('location')
    if (location === null) throw new Error(`The issuer stopped at ${at.pathname}.`)
    at = new URL(location, at)
  }
  return (await visitor.navigate(at.href)).headers.get('location') ?? ''
}
async function refresh(): Promise<{ status: number; body: unknown }> {
  const { web_app_token: generation } = (await (await visitor.get('/api/auth/me')).json()) as Record<string, string>
  const answer = await visitor.post('/api/auth/refresh', { generation })
  return { status: answer.status, body: await answer.json() }
}

test('an endless discovery document fails like a truncated one, and both are logged', async () => {
  expect(undiscovered.map(({ status }) => status)).toEqual([503, 503])
  const logged = () => edge.stage.portal?.printed.join().split(`Nobody can sign in at ${issuer.issuer}: `)
  await expect.poll(logged, patience).toHaveLength(1 + WAYS.length)
  expect(undiscovered[0]?.poured).toBeLessThan(BUFFERS)
})

test.each(['/token', '/me'])('a 300 MB response from %s ends a sign-in like a truncated one', async (path) => {
  const ends: string[] = []
  for (const how of WAYS) {
    issuer.spoil(path, how)
    ends.push(await signIn())
    expect(issuer.poured()).toBeLessThan(BUFFERS)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  }
  expect(ends[0]).toContain('temporarily_unavailable')
  expect(ends[1]).toBe(ends[0])
})

test('a 300 MB refresh response fails like a truncated one, and the session continues', async () => {
  await signIn()
  const answers = []
  for (const how of WAYS) {
    issuer.spoil('/token', how)
    answers.push(await refresh())
    expect(issuer.poured()).toBeLessThan(BUFFERS)
  }
  expect(answers[0]?.status).toBe(503)
  expect(answers[1]).toEqual(answers[0])
  issuer.spoil(null)
  expect((await refresh()).status).toBe(200)
})
