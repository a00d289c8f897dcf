import { RELAY } from '../../../contract/live/relay-protocol.ts'

/** One message of the relay: what a player has to know, or a picture for it. */
export type RelayMessage =
  | { kind: 'init'; type: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'key' | 'delta'; bytes: Uint8Array<ArrayBuffer> }

/** Reads a binary message of contract/live/relay-protocol.ts; null when it is none. */
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

/** Behind the newest picture by more than this, s, playing jumps. */
const LATE_S = 1
/** Distance to the newest picture after a jump, s: enough for two pictures of jitter. */
const DISTANCE_S = 0.15
const HURRY = 1.1

/** Behind by more than this, s, playing hurries: where pictures come evenly, and at most. */
const EASE_S = { least: 0.2, most: 0.45 }
/** What an interruption adds, and what each picture without one takes away, s: a minute forgets it. */
const EASE_STEP_S = { waited: 0.1, picture: 0.0002 }

/** How far behind is near enough, s, after a picture more, or after playing has had to wait for one. */
export const easeAfter = (ease: number, trigger: keyof typeof EASE_STEP_S): number =>
  trigger === 'waited'
    ? Math.min(EASE_S.most, ease + EASE_STEP_S.waited)
    : Math.max(EASE_S.least, ease - EASE_STEP_S.picture)

/** How a player at `at` stays at the live edge of the range [start, end]; `ease`: what is near enough. All in s. */
export function liveEdge(at: number, start: number, end: number, ease: number = EASE_S.least): LiveEdge {
  const isOutside = at < start || at > end + LATE_S
  if (isOutside || end - at > LATE_S) return { seek: Math.max(start, end - DISTANCE_S), rate: 1 }
  return { seek: null, rate: end - at > ease ? HURRY : 1 }
}
