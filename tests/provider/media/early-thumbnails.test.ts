import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BRIDGE_PATHS, EARLY_THUMBNAIL_MAX_BYTES } from '../../../contract/bridge/bridge-protocol.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { issueMediaToken } from '../../../contract/media/media-token.ts'
import { formatMediaUrl, formatSignedContent } from '../../../contract/media/media-urls.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'
import { readBilledWork } from '../../support/billed-work/billed-work.ts'
import { createBridgeEvent, openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'

const CLIP = Buffer.alloc(3000, 'clip')
const THUMBNAIL = Buffer.alloc(1000, 'thumbnail')
const CLIP_OBJECT = Buffer.concat([CLIP, THUMBNAIL])
const resource = { begin_time: 1, end_time: 2, resource_version: 1, resource_type: 's3' as const }

let neighborhood: Neighborhood
const mediaTokens = new Map<Household, string>()
beforeAll(async () => {
  neighborhood = await openNeighborhood({ countsWork: true })
  for (const account of [neighborhood.a, neighborhood.b])
    mediaTokens.set(account, (await neighborhood.call(account, issueMediaToken)).body.data.pass as string)
  await neighborhood.a.bridge.register('door')
})
afterAll(() => neighborhood.close())

function fetchThumbnail(id: string, init: RequestInit = {}, account = neighborhood.a): Promise<Response> {
  const { env } = neighborhood.stage
  const [p, exp] = [mediaTokens.get(account) ?? '', Date.now() + 300_000]
  const sig = createHmac('sha256', env.MEDIA_KEY)
    .update(formatSignedContent('thumb', id, p, exp))
    .digest('hex')
  return fetch(formatMediaUrl(env.PROVIDER_ORIGIN, 'thumb', id, { p, exp, sig }), init)
}
const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())
const showsThumbnail = async (id: string) => (await readBytes(await fetchThumbnail(id))).equals(THUMBNAIL)

const postEvent = (id: string, early: Record<string, unknown> = { clip_length: CLIP_OBJECT.length }) =>
  neighborhood.a.bridge.send('POST', BRIDGE_PATHS.events, {
    event: createBridgeEvent('door', id, { clip_state: 'uploading' }),
    early: { jpeg: THUMBNAIL.toString('base64'), ...early },
  })
const attachClip = (event_id: string, change: Record<string, unknown> = {}) =>
  neighborhood.a.bridge.send('POST', BRIDGE_PATHS.clip, {
    device_id: 'door',
    event_id,
    clip_object: `h/home_a/clip/${event_id}.mp4`,
    thumb_object: null,
    thumb_length: THUMBNAIL.length,
    event_resources: [resource],
    ...change,
  })
const uploadClip = (url: string) =>
  fetch(url, { method: 'PUT', headers: { 'content-type': 'video/mp4' }, body: new Uint8Array(CLIP_OBJECT) })
async function deliver(id: string): Promise<void> {
  const { body } = await postEvent(id)
  expect((await uploadClip(body.clip_grant.url)).status).toBe(200)
  expect((await attachClip(id)).status).toBe(200)
}
async function measureStoredThumbnail(id: string): Promise<number | null> {
  const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
  const rows = await storage.exec('SELECT length(thumb_jpeg) AS bytes FROM events WHERE event_id = ?', id)
  return (rows as unknown as { bytes: number | null }[])[0]?.bytes ?? null
}

test('a thumbnail is shown from its event on, and later from the object of the clip', async () => {
  const { body } = await postEvent('shown')
  expect(body.clip_grant).toMatchObject({ object: 'h/home_a/clip/shown.mp4', exists: false })
  const early = await fetchThumbnail('shown')
  expect([early.status, early.headers.get('content-type'), early.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'private, no-store',
  ])
  expect((await readBytes(early)).equals(THUMBNAIL)).toBe(true)
  await uploadClip(body.clip_grant.url)
  expect(await measureStoredThumbnail('shown')).toBe(THUMBNAIL.length)
  await attachClip('shown')
  expect(await measureStoredThumbnail('shown')).toBeNull()
  const later = await fetchThumbnail('shown')
  expect(later.headers.get('etag')).toBe(early.headers.get('etag'))
  expect((await readBytes(later)).equals(THUMBNAIL)).toBe(true)
  expect(await neighborhood.bindings.MEDIA.head('h/home_a/thumb/shown.jpg')).toBeNull()
})

test.each(['in the event', 'with the clip'])('a thumbnail %s supports HEAD, ranges and ETag', async (where) => {
  const id = where.replaceAll(' ', '_')
  await (where === 'in the event' ? postEvent(id) : deliver(id))
  const head = await fetchThumbnail(id, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), (await readBytes(head)).length]).toEqual([200, '1000', 0])
  const range = await fetchThumbnail(id, { headers: { range: 'bytes=990-' } })
  expect([range.status, range.headers.get('content-range')]).toEqual([206, 'bytes 990-999/1000'])
  expect((await readBytes(range)).equals(THUMBNAIL.subarray(990))).toBe(true)
  const etag = head.headers.get('etag') ?? ''
  expect((await fetchThumbnail(id, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetchThumbnail(id, { headers: { range: 'bytes=1000-' } })).status).toBe(416)
  expect((await fetchThumbnail(id, {}, neighborhood.b)).status).toBe(404)
})

test('the thumbnail stays if the clip is lost, and if the clip is uploaded without it', async () => {
  await postEvent('lost')
  await attachClip('lost', { clip_object: null, event_resources: [] })
  await postEvent('plain')
  const clip_object = await neighborhood.a.bridge.upload('door', 'clip', 'plain', CLIP)
  await attachClip('plain', { clip_object, thumb_length: undefined })
  expect([await showsThumbnail('lost'), await showsThumbnail('plain')]).toEqual([true, true])
})

test('a thumbnail that a bridge uploads instead replaces the one of the event', async () => {
  await postEvent('replaced')
  const thumb_object = await neighborhood.a.bridge.upload('door', 'thumb', 'replaced', Buffer.from('other'))
  const clip_object = await neighborhood.a.bridge.upload('door', 'clip', 'replaced', CLIP)
  await attachClip('replaced', { clip_object, thumb_object, thumb_length: undefined })
  expect(await (await fetchThumbnail('replaced')).text()).toBe('other')
  expect(await measureStoredThumbnail('replaced')).toBeNull()
})

test('only a new event gets an upload grant; a repeated event keeps its thumbnail', async () => {
  await deliver('again')
  expect((await postEvent('again')).body).toEqual({ code: 200 })
  expect((await postEvent('no_grant', {})).body).toEqual({ code: 200 })
  expect([await showsThumbnail('again'), await measureStoredThumbnail('again')]).toEqual([true, null])
})

test('a thumbnail that is no base64, too long, or longer than its object is rejected', async () => {
  const longest = Buffer.alloc(EARLY_THUMBNAIL_MAX_BYTES).toString('base64')
  expect((await postEvent('longest', { jpeg: longest })).status).toBe(200)
  const { body } = await postEvent('short')
  await uploadClip(body.clip_grant.url)
  const answers = [
    await postEvent('refused', { jpeg: 'no base64!' }),
    await postEvent('refused', { jpeg: `${longest}AAAA` }),
    await attachClip('short', { thumb_length: CLIP_OBJECT.length }),
    await attachClip('short', { thumb_length: EARLY_THUMBNAIL_MAX_BYTES + 1 }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
})

test('a deleted event loses its thumbnail, in the event and with the clip', async () => {
  await postEvent('gone_early')
  await deliver('gone_later')
  const event_ids = ['gone_early', 'gone_later']
  expect((await neighborhood.call(neighborhood.a, deleteEvents, { event_ids })).status).toBe(200)
  const home = neighborhood.bindings.HOMES.getByName('home_a')
  while (await home.runRetentionStep(Date.now() + HOUR_MS));
  expect((await fetchThumbnail('gone_early')).status).toBe(404)
  expect((await fetchThumbnail('gone_later')).status).toBe(404)
  expect(await measureStoredThumbnail('gone_early')).toBeNull()
  expect(await neighborhood.bindings.MEDIA.head('h/home_a/clip/gone_later.mp4')).toBeNull()
})

test('an event with clip and thumbnail needs three requests and one object', async () => {
  const { provider } = neighborhood.stage
  await deliver('counted_first')
  await readBilledWork(provider)
  await deliver('counted')
  const { workerRequests, r2Writes, r2Reads, d1Queries, objectRequests } = await readBilledWork(provider)
  expect({ workerRequests, r2Writes, r2Reads, d1Queries, objectRequests }).toEqual({
    workerRequests: 3,
    r2Writes: 1,
    r2Reads: 1,
    d1Queries: 2,
    objectRequests: { 'Home.addEvent': 1, 'Home.addClip': 1 },
  })
  await readBilledWork(provider)
  await (await fetchThumbnail('counted')).arrayBuffer()
  expect(await readBilledWork(provider)).toMatchObject({ r2Reads: 1, d1Queries: 1 })
})
