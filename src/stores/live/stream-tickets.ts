import { map } from 'nanostores'
import { getStreams, type LiveStream } from '../../../contract/live/live-calls.ts'
import { isUnderWay, request } from '../../api/api-client.ts'
import { streamsInput } from '../../early/requests/live.ts'
import { isSpent } from '../../early/early-socket.ts'
import type { Reason } from '../../media/live/tile-state-machine.ts'
import { $devices, loadDevices } from '../home/devices.ts'

type Waiter = (stream: LiveStream | Reason) => void

/** Maximum age at which a ticket is still used, ms. Tickets are valid for 60 s. */
const FRESH_MS = 50_000
/** Delay after a failed request, ms. All cameras that retry in this time share one further request. */
const PAUSE_MS = 700

/** Last stream description of each camera. Do not connect with its tickets; they may already be used. */
export const $streams = map<Record<string, LiveStream>>({})

let early: Promise<void> | null = null
const unused = new Map<string, { stream: LiveStream; until: number }>()
const waiting = new Map<string, Waiter[]>()
let refusedAt = -Infinity

/**
 * Returns a new stream description of one camera, or the reason why there is none. Each ticket is handed out once.
 * Concurrent requests share one call; on a 404 the API client leaves for /user/redirect (LIVE-17).
 */
export async function acquireStream(deviceId: string): Promise<LiveStream | Reason> {
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
 * Stores the response to the document's early request if it covers exactly this page's cameras. A 404 causes no
 * redirect, because a remembered camera may be gone; the listed cameras are then requested instead.
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
 * Requests only cameras that the provider has listed on this page: a remembered one may be gone, and would cause a 404
 * for all.
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

/** Resolves the waiters of one camera. A ticket serves only the first waiter; the others request again. */
function answerAll(streams: readonly LiveStream[], deviceId: string, [first, ...others]: Waiter[]): void {
  first?.(streams.find(({ device_id }) => device_id === deviceId) ?? 'no-stream')
  for (const other of others) void acquireStream(deviceId).then(other)
}
