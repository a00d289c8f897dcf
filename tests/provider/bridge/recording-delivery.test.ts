import { spawn } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { appendToMediaData, createBox } from '../../../bridge/media/mp4/boxes.ts'
import { ProviderClient, ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { deliverClip, postEarlyEvent } from '../../../bridge/recording/deliver-recording.ts'
import { createMotionEvent, type RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { EARLY_THUMBNAIL_MAX_BYTES } from '../../../contract/bridge/bridge-protocol.ts'
import { eventHistory, type Event } from '../../../contract/events/events.ts'
import { replayArchive } from '../../../contract/events/event-calls.ts'
import { issueMediaToken } from '../../../contract/media/media-token.ts'
import { formatMediaUrl, formatSignedContent } from '../../../contract/media/media-urls.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { openNeighborhood, type Neighborhood, RECENT_TIME_MS } from '../../support/home.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const CLIP = createBox('mdat', randomBytes(3000))
const THUMBNAIL = randomBytes(100)
/** The object of a clip contains the thumbnail at the end of its media data. */
const CLIP_OBJECT = appendToMediaData(CLIP, THUMBNAIL)
const key = randomBytes(32)
let neighborhood: Neighborhood
let data = ''
let clipStart = RECENT_TIME_MS
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  const key_hash = createHash('sha256').update(key).digest('hex')
  await storeBridge(neighborhood.bindings, 'br_real', { key_hash, name: 'Real', homes: ['home_b'] }, Date.now())
  await createClient().registerCamera('RC_B', {
    nickname: 'Porch',
    device_model: 'PL-RTSP',
    provider: 'kvs',
    renditions: [],
    dual: false,
    audio: false,
    battery: false,
    device_order: 1,
  })
})
afterAll(() => neighborhood.close())
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'delivery-'))
  clipStart += 60_000
})
afterEach(() => rm(data, { recursive: true, force: true }))

interface Failure {
  readonly nth: number
  readonly when: 'before' | 'after'
  readonly storesThumbnails: boolean
}
const STEPS = ['requestGrants', 'uploadObject', 'postEvent', 'postClip'] as const
/**
 * A client whose `nth` request, counted from 1, fails before it reaches the provider or after the provider has
 * processed it.
 */
class FailingClient extends ProviderClient {
  #count = 0
  readonly failure: Failure

  constructor(failure: Failure) {
    super(neighborhood.stage.env.PROVIDER_ORIGIN, { bridgeId: 'br_real', key })
    this.failure = failure
    this.applyWelcome({ now: Date.now(), stores_thumbnails: failure.storesThumbnails })
    for (const step of STEPS) {
      const sendRequest = this[step].bind(this) as (...args: unknown[]) => Promise<unknown>
      Object.assign(this, { [step]: (...args: unknown[]) => this.#sendOrFail(() => sendRequest(...args)) })
    }
  }

  async #sendOrFail(sendRequest: () => Promise<unknown>): Promise<unknown> {
    const isFailing = ++this.#count === this.failure.nth
    if (isFailing && this.failure.when === 'before') throw new ProviderError(0, 'died')
    const answer = await sendRequest()
    if (isFailing) throw new ProviderError(0, 'died')
    return answer
  }
}
/** A client before the first welcome, or of a provider that does not store thumbnails with clips. */
const createClient = () => new ProviderClient(neighborhood.stage.env.PROVIDER_ORIGIN, { bridgeId: 'br_real', key })
function createClientAfterWelcome(): ProviderClient {
  const client = createClient()
  client.applyWelcome({ now: Date.now(), stores_thumbnails: true })
  return client
}

async function createRecording(thumbnail = THUMBNAIL): Promise<{ queue: RecordingQueue; entry: RecordedClip }> {
  const queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  const event = createMotionEvent('RC_B', clipStart)
  await writeFile(queue.getFilePath(event.event_id, 'mp4'), CLIP)
  await writeFile(queue.getFilePath(event.event_id, 'jpg'), thumbnail)
  return { queue, entry: { kind: 'clip', event, clip: { begin: clipStart, end: clipStart + 9000 }, thumb: true } }
}

async function listEvents(eventId: string): Promise<Event[]> {
  const range = { begin_time: clipStart - 1000, end_time: clipStart + 10_000, count: 10_000, order_by: 2 }
  const query = { ...range, device_id_list: [], event_tag_list: [], event_value_list: [] }
  const { body } = await neighborhood.call(neighborhood.b, eventHistory, query)
  return body.data.event_list.filter((event: Event) => event.event_id === eventId)
}

async function loadThumbnail(event_id: string): Promise<Buffer> {
  const { body } = await neighborhood.call(neighborhood.b, issueMediaToken)
  const [p, exp] = [body.data.pass as string, Date.now() + 300_000]
  const content = formatSignedContent('thumb', event_id, p, exp)
  const sig = createHmac('sha256', neighborhood.stage.env.MEDIA_KEY).update(content).digest('hex')
  const url = formatMediaUrl(neighborhood.stage.env.PROVIDER_ORIGIN, 'thumb', event_id, { p, exp, sig })
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}

async function playClip(): Promise<Buffer> {
  const { body } = await neighborhood.call(neighborhood.b, replayArchive, {
    device_id: 'RC_B',
    product_model: 'PL-RTSP',
    start_time: String(clipStart),
    end_time: String(clipStart + 9000),
    resource_version: '1',
    resource_type: 's3',
    is_live: 'false',
  })
  return Buffer.from(await (await fetch(body.data.replay_url)).arrayBuffer())
}

/**
 * Requests of one delivery: event with its thumbnail (1), clip upload (2), attaching the clip to the event (3). If the
 * provider does not store thumbnails: thumbnail grant (1), thumbnail upload (2), event (3), clip grant (4), clip upload
 * (5), attaching the clip (6).
 */
const failures = [
  ...[1, 2, 3].map((nth) => ({ nth, storesThumbnails: true })),
  ...[1, 2, 3, 4, 5, 6].map((nth) => ({ nth, storesThumbnails: false })),
].flatMap((failure) => (['before', 'after'] as const).map((when) => ({ ...failure, when })))
const retries = failures.flatMap((failure) => [
  { ...failure, next: 'before a welcome', createNext: createClient },
  { ...failure, next: 'after a welcome', createNext: createClientAfterWelcome },
])

test.each(retries)(
  'a delivery that dies $when request $nth (thumbnail in the event: $storesThumbnails) is retried $next: one event with clip and thumbnail',
  async ({ createNext, ...failure }) => {
    const { queue, entry } = await createRecording()
    await expect(deliverClip(new FailingClient(failure), queue, entry)).rejects.toThrow('died')
    await deliverClip(createNext(), queue, entry)
    const events = await listEvents(entry.event.event_id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ event_resources: [{ begin_time: clipStart, end_time: clipStart + 9000 }] })
    expect(events[0]).not.toHaveProperty('clip_state')
    expect((await playClip()).equals(CLIP_OBJECT as Buffer)).toBe(true)
    expect((await loadThumbnail(entry.event.event_id)).equals(THUMBNAIL)).toBe(true)
  },
)

test('the event of a clip discarded for disk space is listed with its thumbnail, without a clip, not as waiting', async () => {
  const stdoutSpy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { queue, entry } = await createRecording()
  await expect(
    deliverClip(new FailingClient({ nth: 2, when: 'before', storesThumbnails: true }), queue, entry),
  ).rejects.toThrow('died')
  expect(await listEvents(entry.event.event_id)).toMatchObject([{ clip_state: 'uploading' }])
  await rm(queue.getFilePath(entry.event.event_id, 'mp4'))
  await deliverClip(createClient(), queue, entry)
  const lines = stdoutSpy.mock.calls.map(([line]) => String(line))
  stdoutSpy.mockRestore()
  const [event] = await listEvents(entry.event.event_id)
  expect(event).toMatchObject({ event_resources: [] })
  expect(event).not.toHaveProperty('clip_state')
  expect((await loadThumbnail(entry.event.event_id)).equals(THUMBNAIL)).toBe(true)
  expect(lines).toContain(`bridge: Added "Motion" (${entry.event.event_id}) without a clip.\n`)
})

test('a thumbnail that is too long for a call is uploaded, and the clip stays as it is', async () => {
  const longThumbnail = randomBytes(EARLY_THUMBNAIL_MAX_BYTES + 1)
  const { queue, entry } = await createRecording(longThumbnail)
  await deliverClip(createClientAfterWelcome(), queue, entry)
  expect((await loadThumbnail(entry.event.event_id)).equals(longThumbnail)).toBe(true)
  expect((await playClip()).equals(CLIP)).toBe(true)
})

test('events behind a stuck clip are listed; after kill -9 the next run delivers every clip once', async () => {
  const entries: RecordedClip[] = []
  for (let i = 0; i < 3; i++, clipStart += 20_000) {
    const { queue, entry } = await createRecording()
    await queue.add(entry.event.event_id, entry)
    queue.stop()
    entries.push(entry)
  }
  clipStart -= 60_000
  const ids = entries.map(({ event }) => event.event_id)
  const child = spawn(process.execPath, [
    fileURLToPath(new URL('delivery-child.ts', import.meta.url)),
    data,
    neighborhood.stage.env.PROVIDER_ORIGIN,
    key.toString('base64url'),
  ])
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await vi.waitUntil(() => ids.every((id) => lines.includes(`listed ${id}`)), WAIT_OPTIONS)
  child.kill('SIGKILL')
  await once(child, 'exit')
  // One worker of the queue delivers whole recordings, starting with the first. Another worker lists the other events
  // at the provider, oldest first, before their clips are uploaded.
  expect(lines.filter((line) => !line.endsWith(ids[0] ?? ''))).toEqual(ids.slice(1).map((id) => `listed ${id}`))
  const range = { begin_time: clipStart - 1000, end_time: clipStart + 60_000, count: 10_000, order_by: 2 }
  const query = { ...range, device_id_list: [], event_tag_list: [], event_value_list: [] }
  const list = async () =>
    ((await neighborhood.call(neighborhood.b, eventHistory, query)).body.data.event_list as Event[]).toReversed()
  expect((await list()).map(({ event_id, clip_state }) => [event_id, clip_state])).toEqual(
    ids.map((id) => [id, 'uploading']),
  )
  const next: RecordingQueue = new RecordingQueue(
    data,
    (entry, isListed) => deliverClip(createClient(), next, entry as RecordedClip, isListed),
    { list: (entry) => postEarlyEvent(createClient(), next, entry as RecordedClip) },
  )
  await next.open()
  next.retryNow()
  await vi.waitUntil(async () => (await next.listWaiting()).length === 0, WAIT_OPTIONS)
  next.stop()
  expect(
    (await list()).map(({ event_id, clip_state, event_resources }) => [event_id, clip_state, event_resources.length]),
  ).toEqual(ids.map((id) => [id, undefined, 1]))
})
