import type { Phase, Reason, Tile } from '../../../media/tile-machine.ts'

const SENTENCES: Record<Reason, string> = {
  'camera-offline': 'The camera cannot be reached.',
  'camera-off': 'The camera is switched off.',
  'bridge-off': 'The bridge that this camera is connected to is not running.',
  'no-stream': 'This camera offers no live picture right now.',
  'no-service': 'Porchlight does not answer. Trying again by itself.',
  'no-answer': 'The camera does not answer. Trying again by itself.',
  'udp-blocked': 'This network blocks live video (UDP). Try another network.',
  'connection-lost': 'The connection to the camera was lost. Trying again by itself.',
  'no-picture': 'The camera is connected but sends no picture.',
  'no-h264': 'This browser cannot decode the camera’s H.264 picture.',
}

/** One sentence for the owner: the camera's own where it gave one. */
export function sentence(tile: Tile): string {
  return tile.text || SENTENCES[tile.reason ?? 'no-service']
}

const STATE_WORDS: Record<Phase, string> = {
  idle: 'paused',
  asleep: 'asleep',
  waking: 'waking',
  starting: 'starting',
  signalling: 'starting',
  connected: 'starting',
  'waiting-for-keyframe': 'starting',
  playing: 'live',
  stalled: 'stalled',
  failed: 'cannot play',
}

/** The state as the tile's accessible name says it, e.g. `live`. */
export function stateWord({ phase, reason }: Tile): string {
  if (phase !== 'failed') return STATE_WORDS[phase]
  if (reason === 'camera-off') return 'switched off'
  return reason === 'camera-offline' || reason === 'bridge-off' ? 'offline' : STATE_WORDS.failed
}

/** Steps climbed, 0 to 4: woken, connecting, waiting for the picture, playing. */
export function rung(phase: Phase): number {
  if (phase === 'playing') return 4
  if (phase === 'waiting-for-keyframe' || phase === 'connected') return 3
  if (phase === 'signalling') return 2
  return phase === 'starting' ? 1 : 0
}

export function stepWord(phase: Phase): string {
  if (phase === 'waking') return 'Waking the camera'
  return phase === 'connected' || phase === 'waiting-for-keyframe' ? 'Waiting for the picture' : 'Connecting'
}

/** Delays are shown to a tenth of a second, rounded up: never better than it is. */
export const latencyText = (ms: number): string => `${(Math.max(1, Math.ceil(ms / 100)) / 10).toFixed(1)} s`
export const latencyKind = (ms: number): 'good' | 'fair' | 'poor' =>
  ms <= 1000 ? 'good' : ms <= 3000 ? 'fair' : 'poor'

/** `09:41` in the browser's zone. */
export function clock(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

/** How long ago, from ms: `just now`, `5 min ago`, `3 h ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}
