import { RELAY_MESSAGE_TYPES } from '../../../contract/live/relay-protocol.ts'

export type RelayMessage =
  | { kind: 'init'; type: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'key' | 'delta'; bytes: Uint8Array<ArrayBuffer> }

/** Parses a binary message of contract/live/relay-protocol.ts; null for other data. */
export function parseRelayMessage(data: ArrayBuffer): RelayMessage | null {
  const [kind, length = 0] = new Uint8Array(data, 0, Math.min(2, data.byteLength))
  if (kind === RELAY_MESSAGE_TYPES.key || kind === RELAY_MESSAGE_TYPES.delta)
    return { kind: kind === RELAY_MESSAGE_TYPES.key ? 'key' : 'delta', bytes: new Uint8Array(data, 1) }
  if (kind !== RELAY_MESSAGE_TYPES.init || data.byteLength <= 2 + length) return null
  const codec = String.fromCharCode(...new Uint8Array(data, 2, length))
  return { kind: 'init', type: `video/mp4; codecs="${codec}"`, bytes: new Uint8Array(data, 2 + length) }
}

/**
 * Correction of the playback position. `seek`: target in s, null for none. `rate`: playback speed; above 1, it reduces
 * a small latency without a jump.
 */
export interface LiveEdgeCorrection {
  seek: number | null
  rate: number
}

/** Latency above which playback jumps to the live edge, s. */
const MAX_LATENCY_S = 1
/** Latency after a jump, s: enough for two frames of jitter. */
const LATENCY_AFTER_JUMP_S = 0.15
const CATCH_UP_RATE = 1.1

/**
 * Range of the tolerated latency, above which playback speeds up, s. `least` applies while frames arrive evenly; stalls
 * raise the tolerated latency up to `most`.
 */
const TOLERATED_LATENCY_S = { least: 0.2, most: 0.45 }
/**
 * Changes of the tolerated latency, s. Each stall adds `waited`. Each frame without a stall subtracts `picture`, so 500
 * frames undo one stall.
 */
const TOLERATED_LATENCY_STEP_S = { waited: 0.1, picture: 0.0002 }

/** Returns the latency to tolerate, s, after another frame or after a stall. */
export const nextToleratedLatency = (latencyS: number, trigger: keyof typeof TOLERATED_LATENCY_STEP_S): number =>
  trigger === 'waited'
    ? Math.min(TOLERATED_LATENCY_S.most, latencyS + TOLERATED_LATENCY_STEP_S.waited)
    : Math.max(TOLERATED_LATENCY_S.least, latencyS - TOLERATED_LATENCY_STEP_S.picture)

/**
 * Returns the correction that keeps a player at the live edge of the buffered range [start, end]. All parameters in s.
 */
export function computeLiveEdgeCorrection(
  position: number,
  start: number,
  end: number,
  toleratedLatency: number = TOLERATED_LATENCY_S.least,
): LiveEdgeCorrection {
  const isOutside = position < start || position > end + MAX_LATENCY_S
  if (isOutside || end - position > MAX_LATENCY_S) return { seek: Math.max(start, end - LATENCY_AFTER_JUMP_S), rate: 1 }
  return { seek: null, rate: end - position > toleratedLatency ? CATCH_UP_RATE : 1 }
}
