import type { TilePhase, TileState } from '../../../media/live/tile-state-machine.ts'

/** Labels of the phases in which the camera is not starting. */
const STATE_LABELS: Partial<Record<TilePhase, string>> = {
  idle: 'paused',
  asleep: 'asleep',
  waking: 'waking',
  playing: 'live',
  stalled: 'stalled',
}

/** Returns a tile's state for its pill and accessible name, such as `live`. Snapshots are not called live. */
export function getStateLabel({ phase, reason, transport }: TileState): string {
  if (phase === 'playing' && transport === 'snapshot') return 'snapshots'
  if (phase !== 'failed') return STATE_LABELS[phase] ?? 'starting'
  if (reason === 'camera-off') return 'off'
  if (reason === 'no-stream') return 'no live video'
  return reason === 'camera-offline' || reason === 'bridge-off' ? 'offline' : 'not playing'
}
