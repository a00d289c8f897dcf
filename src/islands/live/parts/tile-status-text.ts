/** Status texts for tiles without video. They load later than tile-labels.ts, together with the center of the tile. */
import { BRAND_NAME } from '../../../../contract/brand.ts'
import type { TilePhase, PlaybackFailureReason, TileState } from '../../../media/live/tile-state-machine.ts'

const REASON_TEXTS: Record<PlaybackFailureReason, string> = {
  'camera-offline': 'The camera cannot be reached.',
  'camera-off': 'The camera is switched off.',
  'bridge-off': 'The box at home that this camera is connected to is not running.',
  'no-stream': 'This camera offers no live picture right now.',
  'no-service': `${BRAND_NAME} does not answer. Trying again automatically.`,
  'no-answer': 'The camera does not answer. Trying again automatically.',
  'udp-blocked': 'This browser or network lets no live video through. Try another network.',
  'no-path': 'No direct connection to the camera came about in time. Trying again automatically.',
  'connection-lost': 'The connection to the camera was lost. Trying again automatically.',
  'no-picture': 'The camera is connected but sends no picture.',
  'no-h264': 'This browser cannot show the pictures of this camera. Try another browser.',
  'no-webrtc': 'This browser has no way to show live video. Try another browser.',
}

/** Text for a device in the camera category that is not a camera, and has no live video. */
export const NO_LIVE_VIDEO_TEXT = 'This device has no live picture. What it notices is under its events.'

/** Returns the text that the camera reported for its owner, if any; else the text for the reason. */
export function getStatusText(tile: TileState): string {
  return tile.text || REASON_TEXTS[tile.reason ?? 'no-service']
}

/** Returns the number of completed steps, 0 to 4: woken, connecting, waiting for a frame, playing. */
export function countCompletedSteps(phase: TilePhase): number {
  if (phase === 'playing') return 4
  if (phase === 'waiting-for-keyframe' || phase === 'connected') return 3
  if (phase === 'signalling') return 2
  return phase === 'starting' ? 1 : 0
}

export function getStepLabel(phase: TilePhase): string {
  if (phase === 'waking') return 'Waking the camera'
  return phase === 'connected' || phase === 'waiting-for-keyframe' ? 'Waiting for the picture' : 'Connecting'
}
