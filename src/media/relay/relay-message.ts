import { RELAY } from '../../../contract/live/relay-protocol.ts'

export type RelayMessage =
  | { kind: 'init'; type: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'key' | 'delta'; bytes: Uint8Array<ArrayBuffer> }

/** Reads a binary message of contract/live/relay-protocol.ts; null if it is none. */
export function readRelayMessage(data: ArrayBuffer): RelayMessage | null {
  const [kind, length = 0] = new Uint8Array(data, 0, Math.min(2, data.byteLength))
  if (kind === RELAY.key || kind === RELAY.delta)
    return { kind: kind === RELAY.key ? 'key' : 'delta', bytes: new Uint8Array(data, 1) }
  if (kind !== RELAY.init || data.byteLength <= 2 + length) return null
  const codec = String.fromCharCode(...new Uint8Array(data, 2, length))
  return { kind: 'init', type: `video/mp4; codecs="${codec}"`, bytes: new Uint8Array(data, 2 + length) }
}

/**
 * Correction of the playback position. `seek`: target in s, null for none. `rate`: playback speed, which closes a small
 * gap without a jump.
 */
export interface LiveEdge {
  seek: number | null
  rate: number
}

/** Latency above which playback jumps to the live edge, s. */
const LATE_S = 1
/** Latency after a jump, s: enough for two frames of jitter. */
const DISTANCE_S = 0.15
const HURRY = 1.1

/** Latency above which playback speeds up, s: `least` if frames arrive evenly. Stalls raise it up to `most`. */
const EASE_S = { least: 0.2, most: 0.45 }
/**
 * Change of the tolerated latency, s: added per stall, removed per frame without one. About a minute of frames undoes a
 * stall.
 */
const EASE_STEP_S = { waited: 0.1, picture: 0.0002 }

/** Returns the latency to tolerate, s, after another frame or after a stall. */
export const easeAfter = (ease: number, trigger: keyof typeof EASE_STEP_S): number =>
  trigger === 'waited'
    ? Math.min(EASE_S.most, ease + EASE_STEP_S.waited)
    : Math.max(EASE_S.least, ease - EASE_STEP_S.picture)

/**
 * Returns the correction that keeps a player at position `at` at the live edge of the range [start, end]. `ease`:
 * tolerated latency. All in s.
 */
export function liveEdge(at: number, start: number, end: number, ease: number = EASE_S.least): LiveEdge {
  const isOutside = at < start || at > end + LATE_S
  if (isOutside || end - at > LATE_S) return { seek: Math.max(start, end - DISTANCE_S), rate: 1 }
  return { seek: null, rate: end - at > ease ? HURRY : 1 }
}
