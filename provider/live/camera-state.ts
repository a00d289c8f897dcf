import { encodePayload, type CameraState, type SignalIn } from '../../contract/live/signaling.ts'

/** What a camera is doing, and since when, ms UTC. */
export type State = { state: CameraState; reason: string; since: number }

/** The message that tells viewers. */
export function stateMessage(state: State): string {
  return JSON.stringify({ messageType: 'CAMERA_STATE', messagePayload: encodePayload(state) } satisfies SignalIn)
}
