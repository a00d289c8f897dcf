import { encodePayload, type CameraState, type SignalIn } from '../../contract/live/signaling.ts'

/** Camera state, and its start in ms UTC. */
export type State = { state: CameraState; reason: string; since: number }

export function stateMessage(state: State): string {
  return JSON.stringify({ messageType: 'CAMERA_STATE', messagePayload: encodePayload(state) } satisfies SignalIn)
}
