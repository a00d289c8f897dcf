import type { TilePhase, TileState } from '../../../media/live/tile-state-machine.ts'

const STATE_LABELS: Record<TilePhase, string> = {
  idle: 'paused',
  asleep: 'asleep',
  waking: 'waking',
  starting: 'starting',
  signalling: 'starting',
  connected: 'starting',
  'waiting-for-keyframe': 'starting',
  playing: 'live',
  stalled: 'stalled',
  failed: 'not playing',
}

/** Returns a tile's state for its pill and accessible name, such as `live`. Snapshots are not called live. */
export function getStateLabel({ phase, reason, transport }: TileState): string {
  if (phase === 'playing' && transport === 'snapshot') return 'snapshots'
  if (phase !== 'failed') return STATE_LABELS[phase]
  if (reason === 'camera-off') return 'off'
  if (reason === 'no-stream') return 'no live video'
  return reason === 'camera-offline' || reason === 'bridge-off' ? 'offline' : STATE_LABELS.failed
}

/** Formats a delay in seconds with one decimal. Rounds up, so that the tile never understates the delay. */
export const formatLatency = (ms: number): string => `${(Math.max(1, Math.ceil(ms / 100)) / 10).toFixed(1)} s`
export const rateLatency = (ms: number): 'good' | 'fair' | 'poor' =>
  ms <= 1000 ? 'good' : ms <= 3000 ? 'fair' : 'poor'
