import type { CameraState } from '../../../contract/cameras/devices.ts'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import type { DisplayedRendition } from './quality-control.ts'

/** Steps of a live connection, in order. `TileState.steps` contains their times in ms since the attempt began. */
export const CONNECTION_STEPS = [
  'ticket',
  'signalling',
  'answered',
  'connected',
  'waiting-for-keyframe',
  'playing',
] as const
export type ConnectionStep = (typeof CONNECTION_STEPS)[number]

/** Reasons why a camera does not play. The first three are reported camera states; the browser detects the others. */
export const PLAYBACK_FAILURE_REASONS = [
  'camera-offline',
  'camera-off',
  'bridge-off',
  'no-stream',
  'no-service',
  'no-answer',
  'udp-blocked',
  'no-path',
  'connection-lost',
  'no-picture',
  'no-h264',
  'no-webrtc',
] as const
export type PlaybackFailureReason = (typeof PLAYBACK_FAILURE_REASONS)[number]

/** Transport of the video: WebRTC, fragments over the relay, or snapshots. */
export type Transport = 'webrtc' | 'mse' | 'snapshot'

/**
 * Time without a frame after which a stream counts as dead, ms. It applies only after a report that the camera has no
 * video or is back, or after signaling has closed.
 */
export const DEAD_STREAM_MS = 600

/**
 * Statistics of a playing camera. `latencyMs` is null if it cannot be estimated, `lost` (packets) if it cannot be
 * counted.
 */
export interface PlaybackStats {
  fps: number
  lost: number | null
  latencyMs: number | null
  width: number
  height: number
  /** null while unknown, and for a camera with a single rendition. */
  rendition: DisplayedRendition | null
}

export type TilePhase =
  | 'idle'
  | 'asleep'
  | 'waking'
  | 'starting'
  | 'signalling'
  | 'connected'
  | 'waiting-for-keyframe'
  | 'playing'
  | 'stalled'
  | 'failed'

/**
 * State of one camera's tile. `beganAt`: start of the attempt, `wakingAt`: start of waking (both performance.now ms).
 * `text`: sentence reported with the camera state, or ''. `figures`: null until the first frame. `fallback`: why a
 * better transport is not used; null if none has failed.
 */
export interface TileState {
  readonly phase: TilePhase
  readonly beganAt: number
  readonly wakingAt: number | null
  readonly steps: Readonly<Partial<Record<ConnectionStep, number>>>
  readonly reason: PlaybackFailureReason | null
  readonly text: string
  readonly figures: PlaybackStats | null
  readonly transport: Transport | null
  readonly fallback: PlaybackFailureReason | null
}

export type TileEvent =
  | { type: 'begin' }
  /** The viewer requested another attempt, or the browser is online again: clears the previous message. */
  | { type: 'retry' }
  | { type: 'step'; step: Exclude<ConnectionStep, 'playing'> }
  | { type: 'playing'; transport: Transport; width: number; height: number }
  | { type: 'fallback'; reason: PlaybackFailureReason }
  | { type: 'figures'; figures: PlaybackStats }
  | { type: 'camera'; state: CameraState; text: string }
  | { type: 'stalled' }
  | { type: 'failed'; reason: PlaybackFailureReason; text?: string }
  | { type: 'stopped' }

export const IDLE_TILE: TileState = {
  phase: 'idle',
  beganAt: 0,
  wakingAt: null,
  steps: {},
  reason: null,
  text: '',
  figures: null,
  transport: null,
  fallback: null,
}

const PHASE_OF_STEP: Record<Exclude<ConnectionStep, 'playing'>, TilePhase> = {
  ticket: 'starting',
  signalling: 'signalling',
  answered: 'signalling',
  connected: 'connected',
  'waiting-for-keyframe': 'waiting-for-keyframe',
}

/**
 * Returns the next state of a tile; `now` in performance.now ms. Returns the same object if the event has no effect in
 * the current phase.
 */
export function nextTileState(tile: TileState, event: TileEvent, now: number): TileState {
  switch (event.type) {
    case 'begin':
      return startAttempt(tile, now)
    case 'retry':
      return { ...IDLE_TILE, phase: 'starting', beganAt: now }
    case 'step':
      return reachStep(tile, event.step, now)
    case 'playing':
      return startPlayback(tile, event, now)
    case 'fallback':
      return { ...tile, fallback: event.reason }
    case 'figures':
      return tile.phase === 'playing' || tile.phase === 'stalled'
        ? { ...tile, phase: 'playing', figures: event.figures }
        : tile
    case 'camera':
      return applyCameraState(tile, event.state, event.text, now)
    case 'stalled':
      return tile.phase === 'playing' ? { ...tile, phase: 'stalled' } : tile
    case 'failed':
      return { ...tile, phase: 'failed', reason: event.reason, text: event.text ?? '' }
    case 'stopped':
      return IDLE_TILE
  }
}

export const toTileEvent = ({ state, reason }: CameraStatePayload): TileEvent => ({
  type: 'camera',
  state,
  text: reason,
})

/** Phases that stay on screen while a new attempt is still connecting. */
const PHASES_KEPT_WHILE_CONNECTING: readonly TilePhase[] = ['failed', 'asleep', 'waking', 'stalled']

function startAttempt(tile: TileState, now: number): TileState {
  const phase = PHASES_KEPT_WHILE_CONNECTING.includes(tile.phase) ? tile.phase : 'starting'
  return { ...tile, phase, beganAt: now, steps: {}, figures: null, transport: null }
}

function reachStep(tile: TileState, step: Exclude<ConnectionStep, 'playing'>, now: number): TileState {
  const steps = { ...tile.steps, [step]: Math.round(now - tile.beganAt) }
  const isConnected = step === 'connected' || step === 'waiting-for-keyframe'
  const isBehind = tile.phase === 'playing' || (step === 'connected' && tile.phase === 'waiting-for-keyframe')
  if (isBehind || (PHASES_KEPT_WHILE_CONNECTING.includes(tile.phase) && !isConnected)) return { ...tile, steps }
  return { ...tile, steps, phase: PHASE_OF_STEP[step], reason: null, text: '' }
}

function startPlayback(tile: TileState, event: Extract<TileEvent, { type: 'playing' }>, now: number): TileState {
  const { transport, width, height } = event
  return {
    ...tile,
    transport,
    fallback: transport === 'webrtc' ? null : tile.fallback,
    phase: 'playing',
    reason: null,
    text: '',
    wakingAt: null,
    steps: tile.steps.playing === undefined ? { ...tile.steps, playing: Math.round(now - tile.beganAt) } : tile.steps,
    figures: tile.figures ?? { fps: 0, latencyMs: null, lost: null, width, height, rendition: null },
  }
}

const FAILURE_REASON_BY_CAMERA_STATE: Partial<Record<CameraState, PlaybackFailureReason>> = {
  offline: 'camera-offline',
  switched_off: 'camera-off',
  bridge_off: 'bridge-off',
}
const CAMERA_FAILURE_REASONS: readonly (PlaybackFailureReason | null)[] = [
  'camera-offline',
  'camera-off',
  'bridge-off',
  'no-service',
]

/**
 * Applies a reported camera state. Ignores the report during playback, because frames are better evidence than
 * messages.
 */
function applyCameraState(tile: TileState, state: CameraState, text: string, now: number): TileState {
  if (tile.phase === 'playing') return tile
  const reason = FAILURE_REASON_BY_CAMERA_STATE[state]
  if (reason) return { ...tile, phase: 'failed', reason, text, wakingAt: null }
  if (state === 'asleep') return { ...tile, phase: 'asleep', reason: null, text, wakingAt: null }
  if (state === 'waking') return { ...tile, phase: 'waking', reason: null, text, wakingAt: tile.wakingAt ?? now }
  const isResolved =
    tile.phase === 'asleep' || (tile.phase === 'failed' && CAMERA_FAILURE_REASONS.includes(tile.reason))
  return isResolved ? { ...tile, phase: 'signalling', reason: null, text: '' } : tile
}

/** Returns true if playback has failed. The tile then shows the reason. */
export function needsHelp(tile: TileState): boolean {
  return tile.phase === 'failed'
}
