import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { startSignIn } from '../../support/sign-in-walk.ts'
import { openForeignIssuer, type ForeignIssuer } from '../../support/foreign-issuer.ts'
import type { Visitor } from '../../support/visitor.ts'

/** Maximum bytes that network buffers between edge and issuer may hold, far below the 300 MB of an endless response. */
const MAX_BUFFERED_BYTES = 24 * 1024 * 1024
const BROKEN_RESPONSE_MODES = ['endless', 'broken'] as const

let issuer: ForeignIssuer
let edge: EdgeDeployment
let visitor: Visitor
/**
 * Sign-ins that start with an endless or truncated discovery document: response status, and bytes of the document that
 * the issuer sent.
 */
let discoveryFailures: { status: number; sentBytes: number }[]

beforeAll(async () => {
  edge = await openEdge(async (env) => {
    issuer = await openForeignIssuer(env.PORTAL_ORIGIN)
    return issuer.settings
  })
  visitor = edge.visitor()
  await visitor.get('/api/auth/me')
  discoveryFailures = []
  for (const mode of BROKEN_RESPONSE_MODES) {
    issuer.breakResponses('/.well-known/openid-configuration', mode)
    const { status } = await visitor.post('/api/auth/authorize', { state: '/live', kount_session_id: 'test-device' })
    discoveryFailures.push({ status, sentBytes: issuer.brokenResponseBytes() })
  }
})
afterAll(async () => {
  await edge.close()
  await issuer.close()
})
beforeEach(() => {
  visitor = edge.visitor()
  issuer.breakResponses(null)
})

/** Follows the issuer's pages to the callback. Returns the URL that the callback redirects to. */
async function signIn(): Promise<string> {
  let url = await startSignIn(visitor, '/live')
  while (url.origin !== edge.portalOrigin) {
    const location = (await visitor.navigate(url.href)).headers.get('location')
    if (location === null) throw new Error(`The issuer stopped at ${url.pathname}.`)
    url = new URL(location, url)
  }
  return (await visitor.navigate(url.href)).headers.get('location') ?? ''
}
async function refresh(): Promise<{ status: number; body: unknown }> {
  const { web_app_token: generation } = (await (await visitor.get('/api/auth/me')).json()) as Record<string, string>
  const answer = await visitor.post('/api/auth/refresh', { generation })
  return { status: answer.status, body: await answer.json() }
}

test('an endless discovery document fails like a truncated one, and both are logged', async () => {
  expect(discoveryFailures.map(({ status }) => status)).toEqual([503, 503])
  const logged = () => edge.deployment.portal?.outputLines.join().split(`No one can log in through ${issuer.issuer}: `)
  await expect.poll(logged, WAIT_OPTIONS).toHaveLength(1 + BROKEN_RESPONSE_MODES.length)
  expect(discoveryFailures[0]?.sentBytes).toBeLessThan(MAX_BUFFERED_BYTES)
})

test.each(['/token', '/me'])('a 300 MB response from %s ends a sign-in like a truncated one', async (path) => {
  const ends: string[] = []
  for (const mode of BROKEN_RESPONSE_MODES) {
    issuer.breakResponses(path, mode)
    ends.push(await signIn())
    expect(issuer.brokenResponseBytes()).toBeLessThan(MAX_BUFFERED_BYTES)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  }
  expect(ends[0]).toContain('temporarily_unavailable')
  expect(ends[1]).toBe(ends[0])
})

test('a 300 MB refresh response fails like a truncated one, and the session continues', async () => {
  await signIn()
  const answers = []
  for (const mode of BROKEN_RESPONSE_MODES) {
    issuer.breakResponses('/token', mode)
    answers.push(await refresh())
    expect(issuer.brokenResponseBytes()).toBeLessThan(MAX_BUFFERED_BYTES)
  }
  expect(answers[0]?.status).toBe(503)
  expect(answers[1]).toEqual(answers[0])
  issuer.breakResponses(null)
  expect((await refresh()).status).toBe(200)
})
