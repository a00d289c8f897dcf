import { map } from 'nanostores'
import { getStreams, type LiveStream } from '../../../contract/live/live-calls.ts'
import { isSentEarly, request } from '../../api/api-client.ts'
import { streamsInput } from '../../early/requests/live.ts'
import { isTicketUsed } from '../../early/early-socket.ts'
import type { PlaybackFailureReason } from '../../media/live/tile-state-machine.ts'
import { $devices, loadDevices } from '../home/devices.ts'

type StreamWaiter = (stream: LiveStream | PlaybackFailureReason) => void

/** Maximum age of a ticket at its first use, ms. Tickets are valid for 60 s. */
const MAX_TICKET_AGE_MS = 50_000
/** Delay before a retry after a failed request, ms. All cameras that retry within this delay share one request. */
const RETRY_DELAY_MS = 700

/** Last stream description of each camera. Do not use its tickets to connect, because they may already be used. */
export const $streams = map<Record<string, LiveStream>>({})

let earlyStreams: Promise<void> | null = null
const unusedStreams = new Map<string, { stream: LiveStream; until: number }>()
const waitersByCamera = new Map<string, StreamWaiter[]>()
let lastFailureAt = -Infinity

/**
 * Returns a new stream description of one camera, or the reason why there is none. Hands out each ticket once.
 * Concurrent calls share one request; a 404 navigates to /user/redirect (LIVE-17).
 */
export async function acquireStream(deviceId: string): Promise<LiveStream | PlaybackFailureReason> {
  earlyStreams ??= storeEarlyStreams()
  await earlyStreams
  const cached = unusedStreams.get(deviceId)
  unusedStreams.delete(deviceId)
  if (cached && cached.until > Date.now() && !isTicketUsed(cached.stream.signalling_url)) return cached.stream
  return new Promise((resolve) => {
    if (waitersByCamera.size === 0)
      setTimeout(() => void fetchStreams(), Math.max(0, lastFailureAt + RETRY_DELAY_MS - performance.now()))
    waitersByCamera.set(deviceId, [...(waitersByCamera.get(deviceId) ?? []), resolve])
  })
}

/**
 * Stores the response to the document's early request if it covers exactly this page's cameras. A 404 does not
 * redirect, because remembered cameras may all be gone. The page then requests the listed cameras.
 */
async function storeEarlyStreams(): Promise<void> {
  const devices = $devices.get()
  const input = 'devices' in devices && streamsInput(devices.devices)
  if (!input || !isSentEarly(getStreams, input)) return
  const response = await request(getStreams, input, { skipRedirect: true })
  if (!response.ok) return
  const until = Date.now() + MAX_TICKET_AGE_MS
  for (const stream of response.data.streams) {
    unusedStreams.set(stream.device_id, { stream, until })
    $streams.setKey(stream.device_id, stream)
  }
}

/**
 * Requests the streams of all waiting cameras in one call. Loads the camera list first, because a request for
 * remembered cameras that are all gone would return a 404 and redirect.
 */
async function fetchStreams(): Promise<void> {
  const isListed = $devices.get().state === 'ready' || (await loadDevices())
  const batch = new Map(waitersByCamera)
  waitersByCamera.clear()
  if (!isListed) return rejectWaiters(batch)
  const input = streamsInput([...batch.keys()].map((device_id) => ({ device_id })))
  const response = await request(getStreams, input)
  if (!response.ok) return rejectWaiters(batch)
  for (const stream of response.data.streams) $streams.setKey(stream.device_id, stream)
  for (const [deviceId, waiters] of batch) resolveWaiters(response.data.streams, deviceId, waiters)
}

function rejectWaiters(batch: ReadonlyMap<string, StreamWaiter[]>): void {
  lastFailureAt = performance.now()
  for (const resolveWaiter of [...batch.values()].flat()) resolveWaiter('no-service')
}

/**
 * Resolves the waiters of one camera. A ticket serves only the first waiter, so the other waiters request new tickets.
 */
function resolveWaiters(
  streams: readonly LiveStream[],
  deviceId: string,
  [firstWaiter, ...otherWaiters]: StreamWaiter[],
): void {
  firstWaiter?.(streams.find(({ device_id }) => device_id === deviceId) ?? 'no-stream')
  for (const waiter of otherWaiters) void acquireStream(deviceId).then(waiter)
}
