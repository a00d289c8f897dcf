/** Code of both video transports in one chunk, which loads while the page requests its stream descriptions. */
export { canPlayRelay, RelayPlayer } from '../relay/relay-player.ts'
export { WebRtcSession } from '../webrtc/webrtc-session.ts'
