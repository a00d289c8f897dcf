import type { CameraState, CameraStatePayload } from '../../../contract/live/signaling.ts'
import type { Rendition } from './quality-control.ts'

/** The ladder of a live connection, in order; the time of each is kept in ms since the attempt began. */
export const STEPS = ['ticket', 'signalling', 'answered', 'connected', 'waiting-for-keyframe', 'playing'] as const
export type Step = (typeof STEPS)[number]

/** Why a camera does not play. The first three are said by the camera's bridge, the others found by the browser. */
export const REASONS = [
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
export type Reason = (typeof REASONS)[number]

/** How the picture comes: as WebRTC, as fragments over the relay, or one still after the other. */
export type Transport = 'webrtc' | 'mse' | 'snapshot'

/** Without a frame for this long, ms, while the camera says it is gone, or back, the picture is dead. */
export const DEAD_MS = 600

/** Figures of a playing camera. `latencyMs` is null while it cannot be estimated, `lost` (packets) where none can be. */
export interface Figures {
  fps: number
  lost: number | null
  latencyMs: number | null
  width: number
  height: number
  /** Null while it is not known, and for a camera with a single one. */
  rendition: Rendition | null
}

export type Phase =
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
 * One camera on the screen. `beganAt` is when the attempt began and `wakingAt` when waking did (both performance.now
 * ms), `text` the camera's own sentence (may be empty), `figures` null until the first frame. `fallback` is why a better
 * transport is not used, null while none has failed.
 */
export interface Tile {
  readonly phase: Phase
  readonly beganAt: number
  readonly wakingAt: number | null
  readonly steps: Readonly<Partial<Record<Step, number>>>
  readonly reason: Reason | null
  readonly text: string
  readonly figures: Figures | null
  readonly transport: Transport | null
  readonly fallback: Reason | null
}

export type TileEvent =
  | { type: 'begin' }
  /** The owner asked for another attempt: what was said before is gone. */
  | { type: 'retry' }
  | { type: 'step'; step: Exclude<Step, 'playing'> }
  | { type: 'playing'; transport: Transport; width: number; height: number }
  | { type: 'fallback'; reason: Reason }
  | { type: 'figures'; figures: Figures }
  | { type: 'camera'; state: CameraState; text: string }
  | { type: 'stalled' }
  | { type: 'failed'; reason: Reason; text?: string }
  | { type: 'stopped' }

export const IDLE: Tile = {
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

const PHASE_OF_STEP: Record<Exclude<Step, 'playing'>, Phase> = {
  ticket: 'starting',
  signalling: 'signalling',
  answered: 'signalling',
  connected: 'connected',
  'waiting-for-keyframe': 'waiting-for-keyframe',
}

/** The next state of a tile; `now` in performance.now ms. Returns the same object when nothing changes. */
export function nextTile(tile: Tile, event: TileEvent, now: number): Tile {
  switch (event.type) {
    case 'begin':
      return startAttempt(tile, now)
    case 'retry':
      return { ...IDLE, phase: 'starting', beganAt: now }
    case 'step':
      return climb(tile, event.step, now)
    case 'playing':
      return play(tile, event, now)
    case 'fallback':
      return { ...tile, fallback: event.reason }
    case 'figures':
      return tile.phase === 'playing' || tile.phase === 'stalled'
        ? { ...tile, phase: 'playing', figures: event.figures }
        : tile
    case 'camera':
      return hearCamera(tile, event.state, event.text, now)
    case 'stalled':
      return tile.phase === 'playing' ? { ...tile, phase: 'stalled' } : tile
    case 'failed':
      return { ...tile, phase: 'failed', reason: event.reason, text: event.text ?? '' }
    case 'stopped':
      return IDLE
  }
}

/** State that a camera reports. */
export const toEvent = ({ state, reason }: CameraStatePayload): TileEvent => ({ type: 'camera', state, text: reason })

/** What stays on the screen while a new attempt has nothing better to show. */
const HELD: readonly Phase[] = ['failed', 'asleep', 'waking', 'stalled']

function startAttempt(tile: Tile, now: number): Tile {
  const phase = HELD.includes(tile.phase) ? tile.phase : 'starting'
  return { ...tile, phase, beganAt: now, steps: {}, figures: null, transport: null }
}

function climb(tile: Tile, step: Exclude<Step, 'playing'>, now: number): Tile {
  const steps = { ...tile.steps, [step]: Math.round(now - tile.beganAt) }
  const proves = step === 'connected' || step === 'waiting-for-keyframe'
  const isBehind = tile.phase === 'playing' || (step === 'connected' && tile.phase === 'waiting-for-keyframe')
  if (isBehind || (HELD.includes(tile.phase) && !proves)) return { ...tile, steps }
  return { ...tile, steps, phase: PHASE_OF_STEP[step], reason: null, text: '' }
}

function play(tile: Tile, event: Extract<TileEvent, { type: 'playing' }>, now: number): Tile {
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

const REASON_OF_STATE: Partial<Record<CameraState, Reason>> = {
  offline: 'camera-offline',
  switched_off: 'camera-off',
  bridge_off: 'bridge-off',
}
const SAID_BY_CAMERA: readonly (Reason | null)[] = ['camera-offline', 'camera-off', 'bridge-off', 'no-service']

/** Frames are better witnesses than messages: what the camera says changes nothing while a picture is playing. */
function hearCamera(tile: Tile, state: CameraState, text: string, now: number): Tile {
  if (tile.phase === 'playing') return tile
  const reason = REASON_OF_STATE[state]
  if (reason) return { ...tile, phase: 'failed', reason, text, wakingAt: null }
  if (state === 'asleep') return { ...tile, phase: 'asleep', reason: null, text, wakingAt: null }
  if (state === 'waking') return { ...tile, phase: 'waking', reason: null, text, wakingAt: tile.wakingAt ?? now }
  const isOver = tile.phase === 'asleep' || (tile.phase === 'failed' && SAID_BY_CAMERA.includes(tile.reason))
  return isOver ? { ...tile, phase: 'signalling', reason: null, text: '' } : tile
}

/** Whether the tile says why it does not play, and waits for the owner or the camera. */
export function needsHelp(tile: Tile): boolean {
  return tile.phase === 'failed'
}
