import { CONNECTION_STEPS, type ConnectionStep, type TileState } from '../../../media/live/tile-state-machine.ts'

/** Formats the name of a rendition for display: `720p`. A name that is not a number stays unchanged. */
export const formatRenditionName = (name: string): string => (/^\d+$/.test(name) ? `${name}p` : name)

/** Formats the time of a connection step: `340 ms`, `11.6 s` from one second on. */
export const formatStepTime = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

/** Steps that only WebRTC takes. The relay sends its video right after the connection to the server. */
const DIRECT_STEPS: readonly ConnectionStep[] = ['answered', 'connected', 'waiting-for-keyframe']

/**
 * Lists the connection steps of the transport in use, by completion time. While video plays, steps that were not taken
 * are omitted. The order varies: the relay may play before the direct connection is ready.
 */
export function listConnectionSteps({ steps, transport }: Pick<TileState, 'steps' | 'transport'>): ConnectionStep[] {
  const at = (step: ConnectionStep) => steps[step] ?? Number.MAX_VALUE
  return CONNECTION_STEPS.filter((step) => {
    if (transport === null) return true
    return steps[step] !== undefined && (transport === 'webrtc' || !DIRECT_STEPS.includes(step))
  }).toSorted((a, b) => at(a) - at(b))
}
