import { map } from 'nanostores'
import { getStreams, type Stream } from '../../../contract/live/live-calls.ts'
import { isUnderWay, request } from '../../api/api-client.ts'
import { streamsInput } from '../../early/requests/live.ts'
import { isSpent } from '../../early/early-socket.ts'
import type { Reason } from '../../media/live/tile-state-machine.ts'
import { $devices, loadDevices } from '../home/devices.ts'

type Waiter = (stream: Stream | Reason) => void

/** Tickets live for 60 s; an older one is not worth a try. */
const FRESH_MS = 50_000
/** After a refusal all cameras gather for one further question, however many of them try again. */
const PAUSE_MS = 700

/** How each camera can be watched, as last heard; the tickets in it are spent. */
export const $streams = map<Record<string, Stream>>({})

let early: Promise<void> | null = null
const unused = new Map<string, { stream: Stream; until: number }>()
const waiting = new Map<string, Waiter[]>()
let refusedAt = -Infinity

/**
 * A fresh stream description of one camera, or why there is none. Every ticket is handed out once. Cameras that ask in
 * the same moment share one call; a 404 leaves for /user/redirect (LIVE-17), which the API client does.
 */
export async function acquireStream(deviceId: string): Promise<Stream | Reason> {
  early ??= storeEarlyStreams()
  await early
  const cached = unused.get(deviceId)
  unused.delete(deviceId)
  if (cached && cached.until > Date.now() && !isSpent(cached.stream.signalling_url)) return cached.stream
  return new Promise((resolve) => {
    if (waiting.size === 0) setTimeout(() => void fetchStreams(), Math.max(0, refusedAt + PAUSE_MS - performance.now()))
    waiting.set(deviceId, [...(waiting.get(deviceId) ?? []), resolve])
  })
}

/**
 * What the document asked for, if it asked for the very cameras of this page. One that is merely remembered from the last
 * visit may be gone: then the answer is a 404, which nobody leaves for, and the cameras of the list are asked for.
 */
async function storeEarlyStreams(): Promise<void> {
  const devices = $devices.get()
  const input = 'devices' in devices && streamsInput(devices.devices)
  if (!input || !isUnderWay(getStreams, input)) return
  const answer = await request(getStreams, input, { stay: true })
  if (!answer.ok) return
  const until = Date.now() + FRESH_MS
  for (const stream of answer.data.streams) {
    unused.set(stream.device_id, { stream, until })
    $streams.setKey(stream.device_id, stream)
  }
}

/**
 * Asks only for cameras that the provider has listed on this page: one that is merely remembered from the last visit
 * may be gone, and asking for it would be a 404 for all.
 */
async function fetchStreams(): Promise<void> {
  const isListed = $devices.get().state === 'ready' || (await loadDevices())
  const batch = new Map(waiting)
  waiting.clear()
  if (!isListed) return refuse(batch)
  const input = streamsInput([...batch.keys()].map((device_id) => ({ device_id })))
  const answer = await request(getStreams, input)
  if (!answer.ok) return refuse(batch)
  for (const stream of answer.data.streams) $streams.setKey(stream.device_id, stream)
  for (const [deviceId, waiters] of batch) answerAll(answer.data.streams, deviceId, waiters)
}

function refuse(batch: ReadonlyMap<string, Waiter[]>): void {
  refusedAt = performance.now()
  for (const tell of [...batch.values()].flat()) tell('no-service')
}

/** One ticket serves one waiter; a second one for the same camera asks again. */
function answerAll(streams: readonly Stream[], deviceId: string, [first, ...others]: Waiter[]): void {
  first?.(streams.find(({ device_id }) => device_id === deviceId) ?? 'no-stream')
  for (const other of others) void acquireStream(deviceId).then(other)
}
