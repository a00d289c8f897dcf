import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { issueMediaToken } from '../../../contract/media/media-token.ts'
import { formatMediaUrl, formatSignedContent, type MediaKind } from '../../../contract/media/media-urls.ts'
import { parseRange } from '../../../provider/media/byte-range.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  type Account,
  type Household,
  type Neighborhood,
} from '../../support/home.ts'

const CLIP = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251))
let neighborhood: Neighborhood
let mediaTokens: Map<Household, string>
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  const { bridge } = neighborhood.a
  mediaTokens = new Map([
    [neighborhood.a, await getMediaToken(neighborhood.a)],
    [neighborhood.b, await getMediaToken(neighborhood.b)],
  ])
  await bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  const clip_object = await bridge.upload('door_a', 'clip', 'e1', CLIP)
  const thumb_object = await bridge.upload('door_a', 'thumb', 'e1', Buffer.from('picture'))
  await bridge.postEvent(createBridgeEvent('door_a', 'e1', { clip_object, thumb_object }))
  await bridge.postEvent(createBridgeEvent('door_a', 'bare'))
})
afterAll(() => neighborhood.close())

const getMediaToken = async (account: Account) =>
  (await neighborhood.call(account, issueMediaToken)).body.data.pass as string

function signUrl(mediaToken: string, kind: MediaKind, id: string, expiresAt = Date.now() + 300_000): string {
  const sig = createHmac('sha256', neighborhood.stage.env.MEDIA_KEY)
    .update(formatSignedContent(kind, id, mediaToken, expiresAt))
    .digest('hex')
  return formatMediaUrl(neighborhood.stage.env.PROVIDER_ORIGIN, kind, id, { p: mediaToken, exp: expiresAt, sig })
}
const buildMediaUrl = (kind: MediaKind, id: string, account: Household = neighborhood.a, exp?: number) =>
  signUrl(mediaTokens.get(account) ?? '', kind, id, exp)

const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('a signed URL', () => {
  test('returns the whole clip to the portal, without caching', async () => {
    const response = await fetch(buildMediaUrl('clip', 'e1'))
    expect(response.status).toBe(200)
    expect((await readBytes(response)).equals(CLIP)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'access-control-allow-origin': neighborhood.stage.env.PORTAL_ORIGIN,
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.get('access-control-expose-headers')).toContain('content-range')
  })

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=900-', 900, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-5000', 990, 999],
  ])('returns the range %s with 206', async (range, from, to) => {
    const response = await fetch(buildMediaUrl('clip', 'e1'), { headers: { range } })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/1000`])
    expect((await readBytes(response)).equals(CLIP.subarray(from, to + 1))).toBe(true)
  })

  test('returns a range only if the clip still has the ETag of If-Range', async () => {
    const range = 'bytes=10-19'
    const { headers } = await fetch(buildMediaUrl('clip', 'e1'), { method: 'HEAD' })
    const requestIfRange = (etag: string) =>
      fetch(buildMediaUrl('clip', 'e1'), { headers: { range, 'if-range': etag } })
    const [same, other] = await Promise.all([requestIfRange(headers.get('etag') ?? ''), requestIfRange('"other"')])
    expect([same.status, (await readBytes(same)).equals(CLIP.subarray(10, 20))]).toEqual([206, true])
    expect([other.status, (await readBytes(other)).equals(CLIP)]).toEqual([200, true])
  })

  test.each(['bytes=1000-', 'bytes=-0'])('returns 416 and the size for the range %s', async (range) => {
    const response = await fetch(buildMediaUrl('clip', 'e1'), { headers: { range } })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
  })

  test('returns only the headers for HEAD', async () => {
    const response = await fetch(buildMediaUrl('clip', 'e1'), { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000'])
    expect((await readBytes(response)).length).toBe(0)
  })

  test('of a thumbnail is not cacheable either, and returns 304 for a matching ETag', async () => {
    const response = await fetch(buildMediaUrl('thumb', 'e1'))
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.text()).toBe('picture')
    const again = await fetch(buildMediaUrl('thumb', 'e1'), {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('that is forged, changed or expired is rejected with 403', async () => {
    const good = buildMediaUrl('clip', 'e1')
    const rejections = await Promise.all(
      [
        good.replace('/clip/', '/thumb/'),
        good.replace(mediaTokens.get(neighborhood.a) ?? '', mediaTokens.get(neighborhood.b) ?? ''),
        signUrl('', 'clip', 'e1'),
        signUrl('grant_a', 'clip', 'e1'),
        signUrl((mediaTokens.get(neighborhood.a) ?? '').slice(0, -4), 'clip', 'e1'),
        good.replace(/exp=\d/, 'exp=2'),
        good.slice(0, -1),
        good.replace(/&sig=.*/, ''),
        buildMediaUrl('clip', 'e1', neighborhood.a, Date.now() - 1),
      ].map((url) => fetch(url)),
    )
    expect(rejections.map((response) => response.status)).toEqual(rejections.map(() => 403))
  })

  test('of another account returns 404 although genuine, like one of a clip that is not stored', async () => {
    const absent = [
      buildMediaUrl('clip', 'e1', neighborhood.b),
      buildMediaUrl('last', 'door_a', neighborhood.b),
      buildMediaUrl('clip', 'bare'),
      buildMediaUrl('thumb', 'never'),
    ]
    const answers = await Promise.all(absent.map((url) => fetch(url)))
    expect(answers.map((response) => response.status)).toEqual([404, 404, 404, 404])
    expect(await answers[0]?.json()).toMatchObject({ code: 404 })
  })
})

describe('the last picture of a camera', () => {
  test('returns 404 until there is one, then follows every upload', async () => {
    expect((await fetch(buildMediaUrl('last', 'door_a'))).status).toBe(404)
    for (const picture of ['morning', 'evening']) {
      await neighborhood.a.bridge.upload('door_a', 'last', 'door_a', Buffer.from(picture))
      const response = await fetch(buildMediaUrl('last', 'door_a'))
      expect([await response.text(), response.headers.get('cache-control')]).toEqual([picture, 'private, no-store'])
    }
    const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, { device_category: 'camera', env: 'beta' })
    expect(body.data.device_list[0].device_param.thumbnail_url).toBe(
      `${neighborhood.stage.env.PORTAL_ORIGIN}/m/last/door_a`,
    )
  })
})

describe('an upload', () => {
  const object = { kind: 'clip', name: 'up', type: 'video/mp4', length: 4 }
  async function requestGrant(change: Record<string, unknown> = {}) {
    const request = { device_id: 'door_a', objects: [{ ...object, ...change }] }
    const { status, body } = await neighborhood.a.bridge.send('POST', BRIDGE_PATHS.uploads, request)
    return { status, ...(body.data?.grants[0] as { object: string; url: string; exists: boolean }) }
  }
  const uploadObject = (url: string, body: string, type = 'video/mp4') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })

  test('with another length or type than granted, or without a genuine grant, is rejected and stores nothing', async () => {
    const { url, object: key } = await requestGrant()
    const answers = [
      await uploadObject(url, 'longer'),
      await uploadObject(url, 'no'),
      await uploadObject(url, 'clip', 'text/html'),
      await uploadObject(`${url}0`, 'clip'),
      await uploadObject(url.replace(/grant=.*/, ''), 'clip'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 403, 403])
    expect(await neighborhood.bindings.MEDIA.head(key)).toBeNull()
  })

  test('that matches its grant is stored, and the next grant for it reports that', async () => {
    const first = await requestGrant()
    expect([first.exists, (await uploadObject(first.url, 'clip')).status]).toEqual([false, 200])
    expect((await requestGrant()).exists).toBe(true)
    expect((await requestGrant({ length: 5 })).exists).toBe(false)
  })

  test('gets no grant for an invalid name or type', async () => {
    const answers = await Promise.all([
      requestGrant({ name: '../h/home_b/clip/x' }),
      requestGrant({ type: 'image/jpeg' }),
      requestGrant({ length: 0 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  test('shared by demo data is stored outside the home, in demo homes only', async () => {
    expect((await requestGrant({ shared: true })).object).toBe('demo/clip/up.mp4')
    const request = { device_id: 'door_b', objects: [{ ...object, shared: true }] }
    const { body } = await neighborhood.b.bridge.send('POST', BRIDGE_PATHS.uploads, request)
    expect(body.data.grants[0].object).toBe('h/home_b/clip/up.mp4')
  })
})

describe('a range', () => {
  test.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=5-4', null],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-2000', { from: 0, to: 999 }],
    ['bytes=0-1,5-6', null],
    ['items=0-1', null],
    ['bytes=-', null],
  ])('header %s is parsed as RFC 9110 specifies', (header, expected) => {
    expect(parseRange(header, 1000)).toEqual(expected)
  })
})
