import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SIGNED_CLIPS_MAX } from '../../../contract/media/media-urls.ts'
import { addDemoBridge } from '../../support/demo-bridge.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { createBridgeEvent } from '../../support/home.ts'
import { scaleTimeout } from '../../support/machine.ts'
import type { Visitor } from '../../support/visitor.ts'

const MEDIA_TOKEN_PATH = '/extension/media-pass'
let edge: EdgeDeployment
beforeAll(async () => {
  edge = await openEdge()
  const bridge = await addDemoBridge(edge.deployment)
  const clip_object = await bridge.upload('door_t', 'clip', 'evt_t', Buffer.from('a whole clip'))
  const thumb_object = await bridge.upload('door_t', 'thumb', 'evt_t', Buffer.from('what moved'))
  await bridge.upload('door_t', 'last', 'door_t', Buffer.from('the door'))
  await bridge.postEvent(createBridgeEvent('door_t', 'evt_t', { clip_object, thumb_object }))
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

async function openSignedIn(email = 'owner@example.com'): Promise<Visitor> {
  const visitor = edge.visitor()
  await signInThroughEdge(visitor, '/live', email)
  edge.proxy.clearFaults()
  return visitor
}
async function fetchClipUrl(visitor: Visitor): Promise<string> {
  const answer = await visitor.get('/m/clip/evt_t')
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
  return answer.headers.get('location') ?? ''
}
const fetchStatus = async (url: string) => (await fetch(url)).status

describe('media route /m', () => {
  test('redirects to an uncached clip URL that reveals nothing about the account', async () => {
    const visitor = await openSignedIn()
    const { user_id } = (await (await visitor.get('/api/auth/me')).json()) as { user_id: string }
    const clipUrl = await fetchClipUrl(visitor)
    expect(new URL(clipUrl).origin).toBe(edge.deployment.env.PROVIDER_ORIGIN)
    expect([...new URL(clipUrl).searchParams.keys()]).toEqual(['p', 'exp', 'sig'])
    expect(clipUrl).not.toContain(user_id)
    const answer = await fetch(clipUrl)
    expect([await answer.text(), answer.headers.get('cache-control')]).toEqual(['a whole clip', 'private, no-store'])
  })

  test('returns the URLs of several clips as JSON for the player, uncached and only to the portal’s own pages', async () => {
    const visitor = await openSignedIn()
    const answer = await visitor.get('/m/clips/none,evt_t')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const { urls } = (await answer.json()) as { urls: readonly string[] }
    expect(urls).toHaveLength(2)
    expect(await fetchStatus(urls[0] ?? '')).toBe(404)
    expect(await (await fetch(urls[1] ?? '')).text()).toBe('a whole clip')
    expect((await edge.visitor().get('/m/clips/evt_t')).status).toBe(401)
    const stranger = await openSignedIn('free@example.com')
    const answered = (await (await stranger.get('/m/clips/evt_t')).json()) as { urls: readonly string[] }
    expect(await fetchStatus(answered.urls[0] ?? '')).toBe(404)
  })

  test.each([
    ['an invalid id', 'evt_t,a.b'],
    ['an empty id', 'evt_t,'],
    ['more clips than a request may sign', Array.from({ length: SIGNED_CLIPS_MAX + 1 }, (_, i) => `e${i}`).join(',')],
  ])('signs nothing for %s', async (_, ids) => {
    const visitor = await openSignedIn()
    expect((await visitor.get(`/m/clips/${ids}`)).status).toBe(404)
    expect(edge.proxy.count(MEDIA_TOKEN_PATH)).toBe(0)
  })

  test.each([
    ['thumb/evt_t', 'what moved', 'private, max-age=3600, immutable'],
    ['last/door_t', 'the door', 'private, no-cache'],
  ])('serves the image %s itself, cached for the cookie of this session only', async (path, content, caching) => {
    const visitor = await openSignedIn()
    const answer = await visitor.get(`/m/${path}`)
    expect([answer.status, await answer.text()]).toEqual([200, content])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': caching,
      'content-type': 'image/jpeg',
      vary: 'Cookie',
    })
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await visitor.fetch(`/m/${path}`, { headers })).status).toBe(304)
    expect((await visitor.fetch(`/m/${path}`, { method: 'HEAD' })).status).toBe(200)
  })

  test('requests the media token once per session', async () => {
    const visitor = await openSignedIn()
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.get('/m/thumb/evt_t')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(edge.proxy.count(MEDIA_TOKEN_PATH)).toBe(1)
  })

  test('serves only signed-in accounts with access to the camera', async () => {
    const stranger = await openSignedIn('free@example.com')
    expect((await stranger.get('/m/thumb/evt_t')).status).toBe(404)
    expect((await stranger.get('/m/last/door_t')).status).toBe(204)
    expect(await fetchStatus(await fetchClipUrl(stranger))).toBe(404)
    expect((await edge.visitor().get('/m/thumb/evt_t')).status).toBe(401)
  })

  test.each([
    ['resets the connection', { kind: 'reset' }, 503],
    ['fails', { kind: 'answer', status: 500, body: '{}' }, 503],
    ['returns invalid JSON', { kind: 'answer', status: 200, body: 'hello', type: 'text/plain' }, 502],
  ] as const)(
    'reports an error when the provider %s, and serves the image once it recovers',
    async (_, fault, status) => {
      const visitor = await openSignedIn()
      edge.proxy.fail('/media/', fault)
      expect((await visitor.get('/m/thumb/evt_t')).status).toBe(status)
      edge.proxy.fail(MEDIA_TOKEN_PATH, fault)
      const other = await openSignedIn()
      edge.proxy.fail(MEDIA_TOKEN_PATH, fault, 1)
      expect((await other.get('/m/clip/evt_t')).status).toBe(503)
      edge.proxy.clearFaults()
      expect((await other.get('/m/thumb/evt_t')).status).toBe(200)
    },
  )
})

describe('sign-out', () => {
  test('ends the media URLs of its own browser immediately and leaves those of another valid', async () => {
    const [browser, other] = [await openSignedIn(), await openSignedIn()]
    const [mine, theirs] = [await fetchClipUrl(browser), await fetchClipUrl(other)]
    expect([await fetchStatus(mine), await fetchStatus(theirs)]).toEqual([200, 200])
    expect((await browser.post('/api/auth/logout')).status).toBe(200)
    expect([await fetchStatus(mine), await fetchStatus(theirs)]).toEqual([403, 200])
    expect((await browser.get('/m/thumb/evt_t')).status).toBe(401)
    expect((await other.get('/m/thumb/evt_t')).status).toBe(200)
  })

  test('by a new sign-in in the same browser ends the media URLs of the first session', async () => {
    const visitor = await openSignedIn()
    const first = await fetchClipUrl(visitor)
    await signInThroughEdge(visitor)
    await expect.poll(() => fetchStatus(first), { timeout: scaleTimeout(5000) }).toBe(403)
    expect(await fetchStatus(await fetchClipUrl(visitor))).toBe(200)
  })
})
