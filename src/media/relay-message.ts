import { RELAY } from '../../contract/relay.ts'

/** One message of the relay: what a player has to know, or a picture for it. */
export type RelayMessage =
  | { kind: 'init'; type: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'key' | 'delta'; bytes: Uint8Array<ArrayBuffer> }

/** Reads a binary message of contract/relay.ts; null when it is none. */
export function readRelayMessage(data: ArrayBuffer): RelayMessage | null {
  const [kind, length = 0] = new Uint8Array(data, 0, Math.min(2, data.byteLength))
  if (kind === RELAY.key || kind === RELAY.delta)
    return { kind: kind === RELAY.key ? 'key' : 'delta', bytes: new Uint8Array(data, 1) }
  if (kind !== RELAY.init || data.byteLength <= 2 + length) return null
  const codec = String.fromCharCode(...new Uint8Array(data, 2, length))
  return { kind: 'init', type: `video/mp4; codecs="${codec}"`, bytes: new Uint8Array(data, 2 + length) }
}

/** Where to play from: `seek` in s, null to go on as it is; `rate` closes a small gap without a jump. */
export interface LiveEdge {
  seek: number | null
  rate: number
}

/** Behind the newest picture by more than this, s, playing jumps; by more than `EASY_S` it hurries. */
const LATE_S = 1
const EASY_S = 0.45
/** Distance to the newest picture after a jump, s: enough for two pictures of jitter. */
const DISTANCE_S = 0.15
const HURRY = 1.1

/** How a player at `at` stays at the live edge of the range [start, end], all in s. */
export function liveEdge(at: number, start: number, end: number): LiveEdge {
  const isOutside = at < start || at > end + LATE_S
  if (isOutside || end - at > LATE_S) return { seek: Math.max(start, end - DISTANCE_S), rate: 1 }
  return { seek: null, rate: end - at > EASY_S ? HURRY : 1 }
}
