/**
 * Code of both video transports and of their monitor in one chunk, which loads while the page requests its stream
 * descriptions.
 */
export { PlaybackMonitor } from './playback-monitor.ts'
export { canPlayRelay, RelayPlayer } from '../relay/relay-player.ts'
export { WebRtcSession } from '../webrtc/webrtc-session.ts'
export { WebRtcHold } from './webrtc-hold.ts'
