import type { CameraState } from '../../../contract/cameras/devices.ts'
import type { LiveStream } from '../../../contract/live/live-calls.ts'
import type { ViewerRelayMessage } from '../../../contract/live/relay-protocol.ts'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import { computeRetryDelayMs, SLOW_RETRY_REASONS } from './retry-delay.ts'
import type { DriverPorts } from './driver-ports.ts'
import type { PlaybackMonitor } from './playback-monitor.ts'
import type { RelayExtraTracks } from '../relay/relay-extra-tracks.ts'
import type { RelayPlayer } from '../relay/relay-player.ts'
import { TransportSwitch } from './transport-switch.ts'
import type { SnapshotFallback } from './snapshot-fallback.ts'
import type { PlaybackFailureReason, TileEvent, Transport } from './tile-state-machine.ts'
import { DEAD_STREAM_MS, toTileEvent } from './tile-state-machine.ts'
import type { WebRtcHold } from './webrtc-hold.ts'
import type { WebRtcSessionHooks, WebRtcSession } from '../webrtc/webrtc-session.ts'

/** Time that the relay has to show its first frame after WebRTC has failed. */
const RELAY_TIMEOUT_MS = 3000
/** Consecutive failed attempts after which snapshots are tried. `SLOW_RETRY_REASONS` need only one. */
const FAILURES_BEFORE_SNAPSHOTS = 2
const CAMERA_DOWN_STATES: readonly (CameraState | undefined)[] = ['offline', 'bridge_off', 'switched_off']

const loadTransports = () => import('./transports.ts').catch(() => null)
void loadTransports()
type TransportsModule = NonNullable<Awaited<ReturnType<typeof loadTransports>>>

/**
 * Keeps one camera playing: connects, watches frames, retries with backoff. Each attempt uses WebRTC and, if the
 * browser can play it, also the relay: the relay shows the first frame sooner, WebRTC has the lower delay. `start` and
 * `stop` may be called repeatedly; `stop` stops all timers and closes all sockets and connections.
 */
export class LiveDriver {
  readonly #ports: DriverPorts
  readonly #transportSwitch = new TransportSwitch({
    onFirstFrame: (transport, width, height) => this.#onFirstFrame(transport, width, height),
    onRelayReplaced: () => this.#session?.send('{"action":"RELAY_STOP"}'),
  })
  #session: WebRtcSession | null = null
  #relay: RelayPlayer | null = null
  #extraTracks: RelayExtraTracks | null = null
  #snapshots: SnapshotFallback | null = null
  #transport: Transport | null = null
  #monitor: PlaybackMonitor | null = null
  #code: TransportsModule | null = null
  #hold: WebRtcHold | null = null
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #attemptNumber = 0
  #failureCount = 0
  #isRunning = false
  #cameraState: CameraStatePayload | null = null
  #insetStream: MediaStream | null = null
  #insetVideo: HTMLVideoElement | null = null

  constructor(ports: DriverPorts) {
    this.#ports = ports
  }

  /** Shows the stream in `video` once the stream arrives, and leaves its last frame in `still`; null detaches. */
  attach(video: HTMLVideoElement | null, still: HTMLCanvasElement | null = null): void {
    this.#stopMonitor()
    this.#transportSwitch.attach(video, still)
  }

  /** Mutes or unmutes the audio. Audio is muted at first, and new connections keep the setting. */
  setMuted(muted: boolean): void {
    this.#transportSwitch.setMuted(muted)
    this.#extraTracks?.setAudioEnabled(!muted)
  }

  /** Shows the inset of a dual-lens camera in `video` once the inset arrives; null detaches. */
  attachInset(video: HTMLVideoElement | null): void {
    this.#insetVideo = video
    if (this.#extraTracks) this.#extraTracks.attachInset(video)
    else this.#showInset(this.#insetStream)
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#failureCount = 0
    void this.#startAttempt()
  }

  stop(): void {
    if (!this.#isRunning) return
    this.#isRunning = false
    this.#endAttempt()
    this.#stopSnapshots()
    this.#emit({ type: 'stopped' })
  }

  /** Retries now instead of after the backoff. */
  retry(): void {
    if (!this.#isRunning) return
    this.#emit({ type: 'retry' })
    void this.#startAttempt()
  }

  /** Wakes a sleeping camera. The session sends its offer when the camera reports that it is awake. */
  async wake(): Promise<void> {
    this.#emit({ type: 'camera', state: 'waking', text: '' })
    if (!(await this.#ports.wakeCamera())) this.#emit({ type: 'camera', state: 'asleep', text: '' })
  }

  /** Applies a camera state from the home feed. Does nothing if the driver is stopped or the state is unchanged. */
  applyCameraState(cameraState: CameraStatePayload): void {
    if (this.#isRunning && cameraState.state !== this.#cameraState?.state) this.#onCameraState(cameraState)
  }

  #showInset(media: MediaStream | null): void {
    this.#insetStream = media
    if (this.#insetVideo) this.#insetVideo.srcObject = media
  }

  #emit(event: TileEvent): void {
    if (!this.#snapshots?.hidesEvent(event)) this.#ports.emit(event)
  }

  /** True if the last reported camera state is not `awake`; also true for `asleep` and `waking`. */
  get #isCameraDown(): boolean {
    return this.#cameraState !== null && this.#cameraState.state !== 'awake'
  }

  async #startAttempt(): Promise<void> {
    this.#endAttempt()
    const attempt = ++this.#attemptNumber
    this.#emit({ type: 'begin' })
    const [stream, transports] = await Promise.all([this.#ports.requestStream(), loadTransports()])
    if (attempt !== this.#attemptNumber || !this.#isRunning) return
    if (typeof stream === 'string') return this.#failAttempt(stream)
    if (!transports) return this.#failAttempt('no-service')
    this.#emit({ type: 'step', step: 'ticket' })
    this.#openTransports(stream, transports)
  }

  #openTransports(stream: LiveStream, code: TransportsModule): void {
    const { WebRtcSession, canPlayRelay, RelayPlayer } = (this.#code = code)
    const send = (message: ViewerRelayMessage) => this.#session?.send(JSON.stringify(message))
    const relay = canPlayRelay() ? new RelayPlayer({ send, onFailed: () => this.#onRelayFailed() }) : null
    this.#relay = relay
    const hooks = {
      onStep: (step) => this.#emit({ type: 'step', step }),
      onMedia: (media) => this.#transportSwitch.playMedia(media),
      onInset: (media) => this.#showInset(media),
      onRelayMessage: (data) => this.#extraTracks?.receive(data) || this.#relay?.push(data),
      onCameraState: (cameraState) => this.#onCameraState(cameraState),
      onRenditionChosen: (name) => this.#ports.onRenditionChosen(name),
      onFailed: (reason) => this.#onWebRtcFailed(reason),
      onSignalingClosed: (final) => this.#onSignalingClosed(final),
    } satisfies WebRtcSessionHooks
    this.#session = new WebRtcSession(stream, hooks, relay !== null)
    if (!relay) return this.#session.connect()
    this.#transportSwitch.playRelay(relay)
    this.#hold = new code.WebRtcHold(() => this.#session?.connect())
  }

  /**
   * Handles a relay stream that fails: continues with WebRTC, unless WebRTC has already failed. If the stream has shown
   * a frame, the browser can play it, so a new attempt follows soon.
   */
  #onRelayFailed(): void {
    const reason = this.#transport === 'mse' ? null : 'no-h264'
    this.#relay = this.#transport = null
    this.#transportSwitch.discardRelay()
    if (this.#session?.isPeerDiscarded) return this.#failAttempt(reason)
    this.#stopMonitor()
    this.#emit({ type: 'stalled' })
    this.#hold?.release()
  }

  /**
   * Handles a WebRTC failure; ignores it while the camera is down. Without a relay, or if WebRTC was playing, the
   * attempt fails. A relay that plays continues; a relay that does not play yet has `RELAY_TIMEOUT_MS` to start.
   */
  #onWebRtcFailed(reason: PlaybackFailureReason): void {
    if (this.#isCameraDown) return
    if (!this.#relay || this.#transport === 'webrtc') return this.#failAttempt(reason)
    this.#transportSwitch.discardMedia()
    this.#showInset(null)
    this.#session?.discardPeer()
    this.#emit({ type: 'fallback', reason })
    void this.#requestExtraTracks(this.#session, this.#relay)
    if (this.#transport === null)
      this.#retryTimer = setTimeout(() => this.#isCameraDown || this.#failAttempt(reason), RELAY_TIMEOUT_MS)
  }

  /** Requests the camera's extra tracks over the relay, because WebRTC, which usually carries them, has failed. */
  async #requestExtraTracks(session: WebRtcSession | null, relay: RelayPlayer): Promise<void> {
    const code = await import('../relay/relay-extra-tracks.ts').catch(() => null)
    if (!code || !session || session !== this.#session || relay !== this.#relay) return
    const { dual, audio } = session.stream
    const send = (message: ViewerRelayMessage) => session.send(JSON.stringify(message))
    const again = () => this.#transportSwitch.restartRelay()
    this.#extraTracks = new code.RelayExtraTracks({ relay, dual, audio, send, again })
    this.#extraTracks.attachInset(this.#insetVideo)
    this.#extraTracks.setAudioEnabled(!this.#transportSwitch.muted)
  }

  #onFirstFrame(transport: 'webrtc' | 'mse', width: number, height: number): void {
    this.#transport = transport
    clearTimeout(this.#retryTimer)
    if (transport === 'webrtc') {
      this.#relay = null
      this.#session?.stopTimeouts()
    }
    this.#stopSnapshots()
    this.#failureCount = 0
    this.#emit({ type: 'playing', transport, width, height })
    this.#hold?.settle()
    this.#stopMonitor()
    this.#startMonitor()
  }

  #startMonitor(): void {
    const [session, relay, code] = [this.#session, this.#relay, this.#code]
    const { video } = this.#transportSwitch
    if (!session || !video || !code) return
    this.#monitor = new code.PlaybackMonitor({
      video,
      relay,
      pc: session.peer?.pc ?? null,
      isCameraDown: () => this.#isCameraDown,
      getQualityPreference: () => this.#ports.getQualityPreference(),
      chosenBefore: session.stream.rendition ?? null,
      send: (message) => session.send(message),
      onStats: (figures) => this.#emit({ type: 'figures', figures }),
      onLost: () => this.#onStall(session),
    })
  }

  #stopMonitor(): void {
    this.#monitor?.stop()
    this.#monitor = null
  }

  #onStall(session: WebRtcSession): void {
    if (session !== this.#session) return
    this.#emit({ type: 'stalled' })
    if (this.#cameraState && this.#isCameraDown) this.#emit(toTileEvent(this.#cameraState))
    else void this.#startAttempt()
  }

  #onCameraState(report: CameraStatePayload): void {
    const previous = this.#cameraState?.state
    this.#cameraState = report
    if (this.#isCameraDown) {
      this.#stopSnapshots()
      this.#hold?.settle()
    }
    // If a playing camera wakes, its hub has restarted the source.
    const wasDown = CAMERA_DOWN_STATES.includes(previous) || (previous === 'waking' && this.#transport !== null)
    this.#emit(toTileEvent(report))
    if (report.state === 'awake' && wasDown && this.#frameAgeMs() > DEAD_STREAM_MS) void this.#startAttempt()
  }

  #onSignalingClosed(final: boolean): void {
    if (final || this.#transport !== 'webrtc' || this.#frameAgeMs() > DEAD_STREAM_MS) this.#failAttempt('no-service')
  }

  #frameAgeMs(): number {
    return this.#monitor?.frameAgeMs ?? (this.#transport ? 0 : Infinity)
  }

  /** `reason`: null if a playing stream broke. */
  #failAttempt(reason: PlaybackFailureReason | null): void {
    this.#endAttempt()
    this.#emit(reason === null ? { type: 'stalled' } : { type: 'failed', reason })
    this.#failureCount += 1
    const isSlow = reason !== null && SLOW_RETRY_REASONS.includes(reason)
    const delayMs = computeRetryDelayMs(isSlow ? Infinity : this.#failureCount, this.#ports.random())
    this.#retryTimer = setTimeout(() => void this.#startAttempt(), delayMs)
    if (reason !== null && (isSlow || this.#failureCount >= FAILURES_BEFORE_SNAPSHOTS))
      void this.#startSnapshots(reason)
  }

  /** Shows one snapshot per second until video plays, except if the camera offers no stream. */
  async #startSnapshots(reason: PlaybackFailureReason): Promise<void> {
    const code = await import('./snapshot-fallback.ts').catch(() => null)
    if (!code || !this.#isRunning || this.#snapshots || this.#transport || reason === 'no-stream') return
    const drawSnapshot = (picture: HTMLImageElement) => this.#transportSwitch.drawSnapshot(picture)
    const onEnd = () => void (this.#snapshots = null)
    this.#snapshots = new code.SnapshotFallback(this.#ports, { reason, drawSnapshot, onEnd })
  }

  #stopSnapshots(): void {
    this.#snapshots?.stop()
    this.#snapshots = null
  }

  #endAttempt(): void {
    this.#showInset(null)
    clearTimeout(this.#retryTimer)
    this.#hold?.cancel()
    this.#stopMonitor()
    this.#transportSwitch.clear()
    this.#extraTracks?.close()
    this.#session?.close()
    this.#hold = this.#session = this.#relay = this.#extraTracks = this.#transport = this.#cameraState = null
  }
}
