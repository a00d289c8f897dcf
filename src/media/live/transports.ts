/** The code of both ways to a picture, in one file: it comes beside the page, while that asks for its tickets. */
export { canPlayRelay, RelayPlayer } from '../relay/relay-player.ts'
export { WebRtcSession } from '../webrtc/webrtc-session.ts'
