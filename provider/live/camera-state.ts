import { encodePayload, type CameraState, type SignalFromService } from '../../contract/live/signaling.ts'

/** Camera state, its reason, and its start (`since`) in ms UTC. */
export type CameraStatePeriod = { state: CameraState; reason: string; since: number }

export function encodeStateMessage(state: CameraStatePeriod): string {
  return JSON.stringify({
    messageType: 'CAMERA_STATE',
    messagePayload: encodePayload(state),
  } satisfies SignalFromService)
}
