import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ScheduledAction } from '../../../bridge/virtual/day-schedule.ts'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue, type QueuedRecording } from '../../../bridge/recording/recording-queue.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const scheduledAction: ScheduledAction = {
  device_id: 'PL1',
  scene: 'driveway',
  light: 'day',
  action: 'courier',
  at: 1_795_181_460_000,
}
let data = ''
let queue: RecordingQueue | undefined

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'queue-'))
})
afterEach(async () => {
  queue?.stop()
  await rm(data, { recursive: true, force: true })
})

/** Opens a queue. The tests add only recordings of virtual cameras to it. */
async function openQueue(deliver: (happening: ScheduledAction) => Promise<void>): Promise<RecordingQueue> {
  queue = new RecordingQueue(data, (entry: QueuedRecording) => deliver(entry as ScheduledAction))
  await queue.open()
  return queue
}

test('a recording that was queued before kill -9 is delivered by the next run', async () => {
  const child = spawn(process.execPath, [
    fileURLToPath(new URL('queue-child.ts', import.meta.url)),
    data,
    'PL1-mwp0oxfe',
  ])
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const delivered: ScheduledAction[] = []
  const next = await openQueue(async (happening) => void delivered.push(happening))
  next.retryNow()
  await vi.waitUntil(async () => (await next.listWaiting()).length === 0, WAIT_OPTIONS)
  expect(delivered).toEqual([scheduledAction])
})

test('a recording stays queued until the provider has acknowledged it', async () => {
  let attempts = 0
  const waiting: string[][] = []
  const recordingQueue = await openQueue(async () => {
    waiting.push(await recordingQueue.listWaiting())
    attempts++
    if (attempts < 3) throw new ProviderError(503, 'not now')
  })
  await recordingQueue.add('PL1-mwp0oxfe', scheduledAction)
  await vi.waitUntil(() => attempts === 1, WAIT_OPTIONS)
  recordingQueue.retryNow()
  await vi.waitUntil(() => attempts === 2, WAIT_OPTIONS)
  recordingQueue.retryNow()
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 0, WAIT_OPTIONS)
  expect(waiting).toEqual([['PL1-mwp0oxfe.json'], ['PL1-mwp0oxfe.json'], ['PL1-mwp0oxfe.json']])
})

test('recordings are delivered in chronological order, each once', async () => {
  const delivered: number[] = []
  let recordingQueue = await openQueue(() => Promise.reject(new ProviderError(0, 'down')))
  for (const at of [3000, 1000, 2000, 1000])
    await recordingQueue.add(`PL1-${at.toString(36)}`, { ...scheduledAction, at })
  recordingQueue.stop()
  recordingQueue = await openQueue(async ({ at }) => void delivered.push(at))
  recordingQueue.retryNow()
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 0, WAIT_OPTIONS)
  expect(delivered).toEqual([1000, 2000, 3000])
})

test('a permanently rejected recording, or a damaged file, is set aside and blocks no others', async () => {
  const delivered: string[] = []
  const recordingQueue = await openQueue(async ({ action }) => {
    if (action === 'bad') throw new ProviderError(400, 'malformed')
    delivered.push(action)
  })
  await writeFile(join(data, 'queue', 'PL1-1.json'), '{"device')
  await recordingQueue.add('PL1-2', { ...scheduledAction, action: 'bad' })
  await recordingQueue.add('PL1-3', scheduledAction)
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 0, WAIT_OPTIONS)
  expect(delivered).toEqual(['courier'])
  expect((await readdir(join(data, 'queue', 'refused'))).sort()).toEqual(['PL1-1.json', 'PL1-2.json'])
})

test('a recording that cannot be read from disk stays queued, and those behind it are delivered', async () => {
  const delivered: ScheduledAction[] = []
  const recordingQueue = await openQueue(async (happening) => void delivered.push(happening))
  await mkdir(join(data, 'queue', 'PL1-1.json'))
  await recordingQueue.add('PL1-2', scheduledAction)
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
  expect([delivered, await recordingQueue.listWaiting()]).toEqual([[scheduledAction], ['PL1-1.json']])
})

test('a recording of a camera that the provider removed blocks no others and is set aside after a week', async () => {
  const delivered: string[] = []
  const recordingQueue = await openQueue(async ({ device_id }) => {
    if (device_id !== 'PL1') throw new ProviderError(404, 'no such camera')
    delivered.push(device_id)
  })
  const day = 86_400_000
  await recordingQueue.add('PL8-1', { ...scheduledAction, device_id: 'PL8', at: Date.now() - 8 * day })
  await recordingQueue.add('PL9-2', { ...scheduledAction, device_id: 'PL9', at: Date.now() - 6 * day })
  await recordingQueue.add('PL1-3', scheduledAction)
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 1, WAIT_OPTIONS)
  expect(delivered).toEqual(['PL1'])
  expect(await recordingQueue.listWaiting()).toEqual(['PL9-2.json'])
  expect(await readdir(join(data, 'queue', 'refused'))).toEqual(['PL8-1.json'])
})

test('a slow clip does not delay listing later events, oldest first; each is delivered in turn', async () => {
  const listed: string[] = []
  const delivered: [string, boolean][] = []
  const firstDelivery = Promise.withResolvers<void>()
  const getAction = (entry: QueuedRecording) => (entry as ScheduledAction).action
  queue = new RecordingQueue(
    data,
    async (entry, isListed) => {
      if (getAction(entry) === 'first') await firstDelivery.promise
      delivered.push([getAction(entry), isListed])
    },
    {
      list: async (entry) => {
        if (getAction(entry) === 'bad') throw new ProviderError(400, 'malformed')
        listed.push(getAction(entry))
      },
    },
  )
  await queue.open()
  for (const [i, action] of ['first', 'second', 'bad', 'third'].entries())
    await queue.add(`PL1-${i + 1}`, { ...scheduledAction, action })
  await vi.waitUntil(() => listed.length === 2, WAIT_OPTIONS)
  expect([listed, delivered]).toEqual([['second', 'third'], []])
  expect((await queue.readWaitingEntries()).map(getAction)).toEqual(['first', 'second', 'bad', 'third'])
  firstDelivery.resolve()
  const recordingQueue = queue
  await vi.waitUntil(async () => (await recordingQueue.listWaiting()).length === 0, WAIT_OPTIONS)
  expect(delivered).toEqual([
    ['first', false],
    ['second', true],
    ['bad', false],
    ['third', true],
  ])
  expect([await recordingQueue.readWaitingEntries(), listed.length]).toEqual([[], 2])
})
