/** Code of both video transports in one chunk: it loads beside the page, while the page fetches its tickets. */
export { canPlayRelay, RelayPlayer } from '../relay/relay-player.ts'
export { WebRtcSession } from '../webrtc/webrtc-session.ts'
