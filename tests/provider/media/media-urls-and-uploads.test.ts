import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { mediaPass } from '../../../contract/media/media-token.ts'
import { mediaAddress, mediaContent, type MediaKind } from '../../../contract/media/media-urls.ts'
import { parseRange } from '../../../provider/media/byte-range.ts'
import { makeEvent, openNeighborhood, type Account, type Household, type Neighborhood } from '../../support/home.ts'

const CLIP = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251))
let town: Neighborhood
let passes: Map<Household, string>
beforeAll(async () => {
  town = await openNeighborhood()
  const { bridge } = town.a
  passes = new Map([
    [town.a, await getMediaToken(town.a)],
    [town.b, await getMediaToken(town.b)],
  ])
  await bridge.register('door_a')
  await town.b.bridge.register('door_b')
  const clip_object = await bridge.upload('door_a', 'clip', 'e1', CLIP)
  const thumb_object = await bridge.upload('door_a', 'thumb', 'e1', Buffer.from('picture'))
  await bridge.post(makeEvent('door_a', 'e1', { clip_object, thumb_object }))
  await bridge.post(makeEvent('door_a', 'bare'))
})
afterAll(() => town.close())

const getMediaToken = async (as: Account) => (await town.call(as, mediaPass)).body.data.pass as string

function signUrl(p: string, kind: MediaKind, id: string, exp = Date.now() + 300_000): string {
  const sig = createHmac('sha256', town.stage.env.MEDIA_KEY)
    .update(mediaContent(kind, id, p, exp))
    .digest('hex')
  return mediaAddress(town.stage.env.PROVIDER_ORIGIN, kind, id, { p, exp, sig })
}
const address = (kind: MediaKind, id: string, as: Household = town.a, exp?: number) =>
  signUrl(passes.get(as) ?? '', kind, id, exp)

const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('a signed URL', () => {
  test('returns the whole clip to the portal, without caching', async () => {
    const response = await fetch(address('clip', 'e1'))
    expect(response.status).toBe(200)
    expect((await readBytes(response)).equals(CLIP)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'access-control-allow-origin': town.stage.env.PORTAL_ORIGIN,
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.get('access-control-expose-headers')).toContain('content-range')
  })

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=900-', 900, 999],
    ['bytes=-10', 990, 999],
    ['bytes=990-5000', 990, 999],
  ])('returns the range %s with 206', async (range, from, to) => {
    const response = await fetch(address('clip', 'e1'), { headers: { range } })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/1000`])
    expect((await readBytes(response)).equals(CLIP.subarray(from, to + 1))).toBe(true)
  })

  test('returns 416 and the size for a range beyond the end', async () => {
    const response = await fetch(address('clip', 'e1'), { headers: { range: 'bytes=1000-' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
  })

  test('returns only the headers for HEAD', async () => {
    const response = await fetch(address('clip', 'e1'), { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000'])
    expect((await readBytes(response)).length).toBe(0)
  })

  test('of a thumbnail is not cacheable either, and returns 304 for a matching ETag', async () => {
    const response = await fetch(address('thumb', 'e1'))
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.text()).toBe('picture')
    const again = await fetch(address('thumb', 'e1'), {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('that is forged, changed or expired is rejected with 403', async () => {
    const good = address('clip', 'e1')
    const rejections = await Promise.all(
      [
        good.replace('/clip/', '/thumb/'),
        good.replace(passes.get(town.a) ?? '', passes.get(town.b) ?? ''),
        signUrl('', 'clip', 'e1'),
        signUrl('grant_a', 'clip', 'e1'),
        signUrl((passes.get(town.a) ?? '').slice(0, -4), 'clip', 'e1'),
        good.replace(/exp=\d/, 'exp=2'),
        good.slice(0, -1),
        good.replace(/&sig=.*/, ''),
        address('clip', 'e1', town.a, Date.now() - 1),
      ].map((url) => fetch(url)),
    )
    expect(rejections.map((response) => response.status)).toEqual(rejections.map(() => 403))
  })

  test('of another account returns 404 although genuine, like one of a clip that is not stored', async () => {
    const absent = [
      address('clip', 'e1', town.b),
      address('last', 'door_a', town.b),
      address('clip', 'bare'),
      address('thumb', 'never'),
    ]
    const answers = await Promise.all(absent.map((url) => fetch(url)))
    expect(answers.map((response) => response.status)).toEqual([404, 404, 404, 404])
    expect(await answers[0]?.json()).toMatchObject({ code: 404 })
  })
})

describe('the last picture of a camera', () => {
  test('returns 404 until there is one, then follows every upload', async () => {
    expect((await fetch(address('last', 'door_a'))).status).toBe(404)
    for (const picture of ['morning', 'evening']) {
      await town.a.bridge.upload('door_a', 'last', 'door_a', Buffer.from(picture))
      const response = await fetch(address('last', 'door_a'))
      expect([await response.text(), response.headers.get('cache-control')]).toEqual([picture, 'private, no-store'])
    }
    const { body } = await town.call(town.a, getHomeDevices, { device_category: 'camera', env: 'beta' })
    expect(body.data.device_list[0].device_param.thumbnail_url).toBe(`${town.stage.env.PORTAL_ORIGIN}/m/last/door_a`)
  })
})

describe('an upload', () => {
  const object = { kind: 'clip', name: 'up', type: 'video/mp4', length: 4 }
  async function grant(change: Record<string, unknown> = {}) {
    const request = { device_id: 'door_a', objects: [{ ...object, ...change }] }
    const { status, body } = await town.a.bridge.send('POST', BRIDGE_PATHS.uploads, request)
    return { status, ...(body.data?.grants[0] as { object: string; url: string; exists: boolean }) }
  }
  const put = (url: string, body: string, type = 'video/mp4') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })

  test('with another length or type than granted, or without a genuine grant, is rejected and stores nothing', async () => {
    const { url, object: key } = await grant()
    const answers = [
      await put(url, 'longer'),
      await put(url, 'no'),
      await put(url, 'clip', 'text/html'),
      await put(`${url}0`, 'clip'),
      await put(url.replace(/grant=.*/, ''), 'clip'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 403, 403])
    expect(await town.bindings.MEDIA.head(key)).toBeNull()
  })

  test('that matches its grant is stored, and the next grant for it reports that', async () => {
    const first = await grant()
    expect([first.exists, (await put(first.url, 'clip')).status]).toEqual([false, 200])
    expect((await grant()).exists).toBe(true)
    expect((await grant({ length: 5 })).exists).toBe(false)
  })

  test('gets no grant for an invalid name or type', async () => {
    const answers = await Promise.all([
      grant({ name: '../h/home_b/clip/x' }),
      grant({ type: 'image/jpeg' }),
      grant({ length: 0 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  test('shared by demo data is stored outside the home, in demo homes only', async () => {
    expect((await grant({ shared: true })).object).toBe('demo/clip/up.mp4')
    const request = { device_id: 'door_b', objects: [{ ...object, shared: true }] }
    const { body } = await town.b.bridge.send('POST', BRIDGE_PATHS.uploads, request)
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
