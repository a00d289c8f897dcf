import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { getActivity, type ActivityEntry } from '../../../contract/account/activity.ts'
import { endSessionsResponse, sessionsResponse } from '../../../contract/auth/user-calls.ts'
import { formatGatewayPath } from '../../../contract/wire/call.ts'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { startSignIn, completeSignInPage } from '../../support/sign-in-walk.ts'
import type { Visitor } from '../../support/visitor.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'
let edge: EdgeDeployment

beforeAll(async () => {
  edge = await openEdge()
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

async function openBrowser(userAgent: string, email: string): Promise<Visitor> {
  const visitor = edge.visitor()
  const callback = await completeSignInPage(visitor, await startSignIn(visitor, '/live'), email)
  await visitor.fetch(callback, {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'user-agent': userAgent },
  })
  return visitor
}
const listSessions = async (visitor: Visitor) =>
  v.parse(sessionsResponse, await (await visitor.get('/api/auth/sessions')).json()).sessions
const endSessions = async (visitor: Visitor, selection: object) =>
  v.parse(
    endSessionsResponse,
    await (await visitor.post('/api/auth/sessions/end', selection, { 'user-agent': CHROME })).json(),
  ).ended
/**
 * Waits until the newest activity entry about ended sessions matches `entry`. The provider writes this entry after the
 * response.
 */
const expectActivity = (visitor: Visitor, entry: Partial<ActivityEntry>) =>
  vi.waitFor(async () => {
    const answer = v.parse(getActivity.response, await (await visitor.get(formatGatewayPath(getActivity))).json())
    const kinds = ['sign-out', 'session-ended', 'sessions-ended']
    expect(answer.data.entries.find(({ kind }) => kinds.includes(kind))).toMatchObject(entry)
  }, WAIT_OPTIONS)
const CHROME_ENTRY = { own: true, device: 'Chrome on Windows', address: '127.0.0.x' }
const fetchMeStatus = async (visitor: Visitor) => (await visitor.get('/api/auth/me')).status
/** Ends all other sessions of the account, so that sessions of earlier tests do not count. */
const endOtherSessions = async (visitor: Visitor) => endSessions(visitor, { others: true })

describe('account sessions', () => {
  test('are listed while active, newest first, with browser name and times', async () => {
    const [first, second] = [
      await openBrowser(CHROME, 'owner@example.com'),
      await openBrowser(FIREFOX, 'owner@example.com'),
    ]
    const endedBrowser = await openBrowser(CHROME, 'owner@example.com')
    await endedBrowser.post('/api/auth/logout')
    const seen = (await listSessions(second)).slice(0, 2)
    expect(seen.map(({ device, current }) => [device, current])).toEqual([
      ['Firefox on Linux', true],
      ['Chrome on Windows', false],
    ])
    const cookies = [first, second].map((visitor) => (visitor.sessionCookie ?? '').split('.')[0])
    for (const { id, started, last_used: used, ends } of seen) {
      expect(cookies).not.toContain(id)
      expect(used).toBeGreaterThanOrEqual(started)
      expect(ends - used).toBe(14 * 86_400)
    }
  })

  test('look the same from each of them, and another account can neither see nor end one', async () => {
    const [ownerBrowser, other, stranger] = [
      await openBrowser(CHROME, 'owner@example.com'),
      await openBrowser(FIREFOX, 'owner@example.com'),
      await openBrowser(CHROME, 'free@example.com'),
    ]
    const listSessionIds = async (visitor: Visitor) => (await listSessions(visitor)).map(({ id }) => id)
    expect(await listSessionIds(ownerBrowser)).toEqual(await listSessionIds(other))
    const [mine = ''] = await listSessionIds(ownerBrowser)
    expect(await listSessionIds(stranger)).not.toContain(mine)
    expect(await endSessions(stranger, { id: mine })).toBe(0)
    expect([await fetchMeStatus(ownerBrowser), await fetchMeStatus(other)]).toEqual([200, 200])
  })

  test('end one at a time like a sign-out, including at the provider', async () => {
    const [currentBrowser, otherBrowser] = [
      await openBrowser(CHROME, 'owner@example.com'),
      await openBrowser(FIREFOX, 'owner@example.com'),
    ]
    const id = (await listSessions(otherBrowser)).find(({ current }) => current)?.id ?? ''
    // The account's object at the provider caches both tokens.
    const fetchActivityStatus = async (visitor: Visitor) => (await visitor.get(formatGatewayPath(getActivity))).status
    expect(await Promise.all([currentBrowser, otherBrowser].map(fetchActivityStatus))).toEqual([200, 200])
    edge.proxy.clearFaults()
    expect(await endSessions(currentBrowser, { id })).toBe(1)
    expect(await Promise.all([currentBrowser, otherBrowser].map(fetchActivityStatus))).toEqual([200, 401])
    expect([await fetchMeStatus(currentBrowser), await fetchMeStatus(otherBrowser)]).toEqual([200, 401])
    expect([edge.proxy.count('/oauth/revocation'), edge.proxy.count('/api/v2/user/logout')]).toEqual([1, 1])
    expect(await endSessions(currentBrowser, { id })).toBe(0)
    await expectActivity(currentBrowser, { kind: 'session-ended', value: 'Firefox on Linux', ...CHROME_ENTRY })
  })

  test('can all be ended except the current one', async () => {
    const currentBrowser = await openBrowser(CHROME, 'owner@example.com')
    await endOtherSessions(currentBrowser)
    const others = [await openBrowser(CHROME, 'owner@example.com'), await openBrowser(FIREFOX, 'owner@example.com')]
    expect(await endSessions(currentBrowser, { others: true })).toBe(2)
    expect(await Promise.all([currentBrowser, ...others].map(fetchMeStatus))).toEqual([200, 401, 401])
    expect(await listSessions(currentBrowser)).toHaveLength(1)
    const value = 'Chrome on Windows, Firefox on Linux'
    await expectActivity(currentBrowser, { kind: 'sessions-ended', count: 2, value, ...CHROME_ENTRY })
  })

  test('sign out the current browser when it ends its own session', async () => {
    const currentBrowser = await openBrowser(CHROME, 'owner@example.com')
    const id = (await listSessions(currentBrowser)).find(({ current }) => current)?.id ?? ''
    expect(await endSessions(currentBrowser, { id })).toBe(1)
    expect(currentBrowser.sessionCookie).toBeUndefined()
    expect(await fetchMeStatus(currentBrowser)).toBe(401)
    await expectActivity(await openBrowser(CHROME, 'owner@example.com'), { kind: 'sign-out', ...CHROME_ENTRY })
  })

  test('need a session to be listed or ended, and reject other sites and malformed requests', async () => {
    const nobody = edge.visitor()
    await nobody.get('/api/auth/me')
    expect((await nobody.get('/api/auth/sessions')).status).toBe(401)
    expect((await nobody.post('/api/auth/sessions/end', { others: true })).status).toBe(401)
    const currentBrowser = await openBrowser(CHROME, 'owner@example.com')
    const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await currentBrowser.post('/api/auth/sessions/end', { others: true }, forged)).status).toBe(403)
    expect(
      (await currentBrowser.post('/api/auth/sessions/end', { others: true }, { 'X-XSRF-TOKEN': 'x' })).status,
    ).toBe(403)
    for (const body of [{}, { others: false }, { id: 7 }, { id: 'x', others: true }, { id: 'x'.repeat(65) }])
      expect((await currentBrowser.post('/api/auth/sessions/end', body)).status).toBe(400)
  })
})
