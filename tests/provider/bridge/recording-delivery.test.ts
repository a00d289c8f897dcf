import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ProviderClient, ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { deliverClip, postEarlyEvent } from '../../../bridge/recording/deliver-recording.ts'
import { createMotionEvent, type RecordedClip } from '../../../bridge/recording/recorded-clip.ts'
import { eventHistory, type Event } from '../../../contract/events/events.ts'
import { replayArchive } from '../../../contract/events/event-calls.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { openNeighborhood, type Neighborhood, RECENT_TIME_MS } from '../../support/home.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const CLIP = randomBytes(3000)
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

const STEPS = ['requestGrants', 'uploadObject', 'postEvent', 'postClip'] as const
/**
 * A client whose `nth` request, counted from 1, fails before it reaches the provider or after the provider has
 * processed it.
 */
class FailingClient extends ProviderClient {
  #count = 0
  readonly failure: { nth: number; when: 'before' | 'after' }

  constructor(failure: { nth: number; when: 'before' | 'after' }) {
    super(neighborhood.stage.env.PROVIDER_ORIGIN, { bridgeId: 'br_real', key })
    this.failure = failure
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
const createClient = () => new ProviderClient(neighborhood.stage.env.PROVIDER_ORIGIN, { bridgeId: 'br_real', key })

async function createRecording(): Promise<{ queue: RecordingQueue; entry: RecordedClip }> {
  const queue = new RecordingQueue(data, () => Promise.reject(new ProviderError(0, 'down')))
  await queue.open()
  const event = createMotionEvent('RC_B', clipStart)
  await writeFile(queue.getFilePath(event.event_id, 'mp4'), CLIP)
  await writeFile(queue.getFilePath(event.event_id, 'jpg'), randomBytes(100))
  return { queue, entry: { kind: 'clip', event, clip: { begin: clipStart, end: clipStart + 9000 }, thumb: true } }
}

async function listEvents(eventId: string): Promise<Event[]> {
  const range = { begin_time: clipStart - 1000, end_time: clipStart + 10_000, count: 10_000, order_by: 2 }
  const query = { ...range, device_id_list: [], event_tag_list: [], event_value_list: [] }
  const { body } = await neighborhood.call(neighborhood.b, eventHistory, query)
  return body.data.event_list.filter((event: Event) => event.event_id === eventId)
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
 * Requests of one delivery: thumbnail grant (1), thumbnail upload (2), event (3), clip grant (4), clip upload (5),
 * attaching the clip to the event (6).
 */
const REQUESTS = [1, 2, 3, 4, 5, 6]
const failures = REQUESTS.flatMap((nth) => (['before', 'after'] as const).map((when) => ({ nth, when })))

test.each(failures)(
  'a delivery that dies $when request $nth is retried: one event with a complete clip',
  async (failure) => {
    const { queue, entry } = await createRecording()
    await expect(deliverClip(new FailingClient(failure), queue, entry)).rejects.toThrow('died')
    await deliverClip(createClient(), queue, entry)
    const events = await listEvents(entry.event.event_id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ event_resources: [{ begin_time: clipStart, end_time: clipStart + 9000 }] })
    expect(events[0]).not.toHaveProperty('clip_state')
    expect((await playClip()).equals(CLIP)).toBe(true)
  },
)

test('the event of a clip discarded for disk space is listed without a clip, not as waiting', async () => {
  const stdoutSpy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { queue, entry } = await createRecording()
  await expect(deliverClip(new FailingClient({ nth: 4, when: 'before' }), queue, entry)).rejects.toThrow('died')
  expect(await listEvents(entry.event.event_id)).toMatchObject([{ clip_state: 'uploading' }])
  await rm(queue.getFilePath(entry.event.event_id, 'mp4'))
  await deliverClip(createClient(), queue, entry)
  const lines = stdoutSpy.mock.calls.map(([line]) => String(line))
  stdoutSpy.mockRestore()
  const [event] = await listEvents(entry.event.event_id)
  expect(event).toMatchObject({ event_resources: [] })
  expect(event).not.toHaveProperty('clip_state')
  expect(lines).toContain(`bridge: Added "Motion" (${entry.event.event_id}) without a clip.\n`)
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
