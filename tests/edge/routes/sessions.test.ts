import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { getActivity, type ActivityEntry } from '../../../contract/account/activity.ts'
import { endSessionsAnswer, sessionsAnswer } from '../../../contract/auth/user-calls.ts'
import { gatewayPath } from '../../../contract/wire/call.ts'
import { openEdge, type EdgeStage } from '../../support/edge.ts'
import { startSignIn, walkSignInPage } from '../../support/sign-in-walk.ts'
import type { Visitor } from '../../support/visitor.ts'
import { patience } from '../../support/patience.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'
let edge: EdgeStage

beforeAll(async () => {
  edge = await openEdge()
})
beforeEach(() => edge.proxy.heal())
afterAll(() => edge.close())

async function browser(userAgent: string, email: string): Promise<Visitor> {
  const visitor = edge.visitor()
  const callback = await walkSignInPage(visitor, await startSignIn(visitor, '/live'), email)
  await visitor.fetch(callback, {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'user-agent': userAgent },
  })
  return visitor
}
const list = async (visitor: Visitor) =>
  v.parse(sessionsAnswer, await (await visitor.get('/api/auth/sessions')).json()).sessions
const end = async (visitor: Visitor, selection: object) =>
  v.parse(
    endSessionsAnswer,
    await (await visitor.post('/api/auth/sessions/end', selection, { 'user-agent': CHROME })).json(),
  ).ended
/** Waits until the newest activity entry about ended sessions matches `entry`, which is written after the response. */
const notes = (visitor: Visitor, entry: Partial<ActivityEntry>) =>
  vi.waitFor(async () => {
    const answer = v.parse(getActivity.response, await (await visitor.get(gatewayPath(getActivity))).json())
    const kinds = ['sign-out', 'session-ended', 'sessions-ended']
    expect(answer.data.entries.find(({ kind }) => kinds.includes(kind))).toMatchObject(entry)
  }, patience)
const CHROME_HERE = { own: true, device: 'Chrome on Windows', address: '127.0.0.x' }
const me = async (visitor: Visitor) => (await visitor.get('/api/auth/me')).status
/** Ends all other sessions of the account, which earlier tests have left. */
const alone = async (visitor: Visitor) => end(visitor, { others: true })

describe('account sessions', () => {
  test('are listed while active, newest first, with browser name and times', async () => {
    const [first, second] = [await browser(CHROME, 'owner@example.com'), await browser(FIREFOX, 'owner@example.com')]
    const endedBrowser = await browser(CHROME, 'owner@example.com')
    await endedBrowser.post('/api/auth/logout')
    const seen = (await list(second)).slice(0, 2)
    expect(seen.map(({ device, current }) => [device, current])).toEqual([
      ['Firefox on Linux', true],
      ['Chrome on Windows', false],
    ])
    const cookies = [first, second].map((visitor) => (visitor.cookie('__Host-Http-sid') ?? '').split('.')[0])
    for (const { id, started, last_used: used, ends } of seen) {
      expect(cookies).not.toContain(id)
      expect(used).toBeGreaterThanOrEqual(started)
      expect(ends - used).toBe(14 * 86_400)
    }
  })

  test('look the same from each of them, and another account can neither see nor end one', async () => {
    const [ownerBrowser, other, stranger] = [
      await browser(CHROME, 'owner@example.com'),
      await browser(FIREFOX, 'owner@example.com'),
      await browser(CHROME, 'free@example.com'),
    ]
    const ids = async (visitor: Visitor) => (await list(visitor)).map(({ id }) => id)
    expect(await ids(ownerBrowser)).toEqual(await ids(other))
    const [mine = ''] = await ids(ownerBrowser)
    expect(await ids(stranger)).not.toContain(mine)
    expect(await end(stranger, { id: mine })).toBe(0)
    expect([await me(ownerBrowser), await me(other)]).toEqual([200, 200])
  })

  test('end one at a time like a sign-out, including at the provider', async () => {
    const [here, there] = [await browser(CHROME, 'owner@example.com'), await browser(FIREFOX, 'owner@example.com')]
    const id = (await list(there)).find(({ current }) => current)?.id ?? ''
    edge.proxy.heal()
    expect(await end(here, { id })).toBe(1)
    expect([await me(here), await me(there)]).toEqual([200, 401])
    expect([edge.proxy.count('/oauth/revocation'), edge.proxy.count('/api/v2/user/logout')]).toEqual([1, 1])
    expect(await end(here, { id })).toBe(0)
    await notes(here, { kind: 'session-ended', value: 'Firefox on Linux', ...CHROME_HERE })
  })

  test('can all be ended except the current one', async () => {
    const here = await browser(CHROME, 'owner@example.com')
    await alone(here)
    const others = [await browser(CHROME, 'owner@example.com'), await browser(FIREFOX, 'owner@example.com')]
    expect(await end(here, { others: true })).toBe(2)
    expect(await Promise.all([here, ...others].map(me))).toEqual([200, 401, 401])
    expect(await list(here)).toHaveLength(1)
    const value = 'Chrome on Windows, Firefox on Linux'
    await notes(here, { kind: 'sessions-ended', count: 2, value, ...CHROME_HERE })
  })

  test('sign out the current browser when it ends its own session', async () => {
    const here = await browser(CHROME, 'owner@example.com')
    const id = (await list(here)).find(({ current }) => current)?.id ?? ''
    expect(await end(here, { id })).toBe(1)
    expect(here.cookie('__Host-Http-sid')).toBeUndefined()
    expect(await me(here)).toBe(401)
    await notes(await browser(CHROME, 'owner@example.com'), { kind: 'sign-out', ...CHROME_HERE })
  })

  test('need a session to be listed or ended, and reject other sites and malformed requests', async () => {
    const nobody = edge.visitor()
    await nobody.get('/api/auth/me')
    expect((await nobody.get('/api/auth/sessions')).status).toBe(401)
    expect((await nobody.post('/api/auth/sessions/end', { others: true })).status).toBe(401)
    const here = await browser(CHROME, 'owner@example.com')
    const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await here.post('/api/auth/sessions/end', { others: true }, forged)).status).toBe(403)
    expect((await here.post('/api/auth/sessions/end', { others: true }, { 'X-XSRF-TOKEN': 'x' })).status).toBe(403)
    for (const body of [{}, { others: false }, { id: 7 }, { id: 'x', others: true }, { id: 'x'.repeat(65) }])
      expect((await here.post('/api/auth/sessions/end', body)).status).toBe(400)
  })
})
