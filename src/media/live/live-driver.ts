import type { LiveStream } from '../../../contract/live/live-calls.ts'
import type { RelayOut } from '../../../contract/live/relay-protocol.ts'
import type { CameraState, CameraStatePayload } from '../../../contract/live/signaling.ts'
import { backOff } from './retry-delay.ts'
import type { DriverPorts } from './driver-ports.ts'
import type { PictureWatch } from './playback-monitor.ts'
import type { RelayExtraTracks } from '../relay/relay-extra-tracks.ts'
import type { RelayPlayer } from '../relay/relay-player.ts'
import { TransportSwitch } from './transport-switch.ts'
import type { SnapshotPlayer } from './snapshot-player.ts'
import { DEAD_MS, toEvent, type Reason, type TileEvent, type Transport } from './tile-state-machine.ts'
import { loadWithRetry } from '../load-with-retry.ts'
import type { SessionHooks, WebRtcSession } from '../webrtc/webrtc-session.ts'

/** Maximum time that WebRTC waits for the relay's first frame. Connecting earlier would delay that frame. */
const HOLD_MS = 400
/** Time that the relay has to show its first frame after WebRTC has failed. */
const RELAY_MS = 3000
/** Consecutive failures before snapshots are tried. */
const STILLS_AFTER = 2
/** Events suppressed while snapshots are shown. */
const QUIET: readonly TileEvent['type'][] = ['begin', 'step', 'failed', 'stalled']
const DOWN: readonly CameraState[] = ['offline', 'bridge_off', 'switched_off']
/** Reasons that an early retry would not fix: these get the slow retry delay immediately. */
const HOPELESS: readonly Reason[] = ['udp-blocked', 'no-stream', 'no-picture', 'no-h264', 'no-webrtc']

/** Loads the transports' chunk; null if that fails. */
const loadWays = () => import('./transports.ts').catch(() => null)
void loadWays()
type Ways = NonNullable<Awaited<ReturnType<typeof loadWays>>>

/**
 * Keeps one camera playing: connects, watches frames, retries with backoff. Each attempt uses WebRTC and the relay in
 * parallel: the relay shows the first frame sooner, WebRTC has the lower delay. `start` and `stop` may be called
 * repeatedly; `stop` closes all timers, sockets and connections.
 */
export class LiveDriver {
  private readonly ports: DriverPorts
  private readonly screen = new TransportSwitch({
    shown: (transport, width, height) => this.onFirstFrame(transport, width, height),
    handedOver: () => this.session?.send('{"action":"RELAY_STOP"}'),
  })
  private session: WebRtcSession | null = null
  private relay: RelayPlayer | null = null
  private beside: RelayExtraTracks | null = null
  private stills: SnapshotPlayer | null = null
  private transport: Transport | null = null
  private watch: PictureWatch | null = null
  private holdTimer: ReturnType<typeof setTimeout> | undefined
  private retryTimer: ReturnType<typeof setTimeout> | undefined
  private attempt = 0
  private failures = 0
  private running = false
  private camera: CameraStatePayload | null = null
  private inset: MediaStream | null = null
  private insetVideo: HTMLVideoElement | null = null

  constructor(ports: DriverPorts) {
    this.ports = ports
  }

  /** Shows the stream in `video`, now or once it arrives, and leaves its last frame in `still`; null detaches. */
  attach(video: HTMLVideoElement | null, still: HTMLCanvasElement | null = null): void {
    this.endWatch()
    this.screen.attach(video, still)
  }

  /** Mutes or unmutes the audio; muted at first, and unchanged by new connections. */
  setMuted(muted: boolean): void {
    this.screen.setMuted(muted)
    this.beside?.setSound(!muted)
  }

  /** Shows the inset of a dual-lens camera in `video`, now or once it arrives; null detaches. */
  attachInset(video: HTMLVideoElement | null): void {
    this.insetVideo = video
    this.beside?.attachInset(video)
    this.showInset(this.inset)
  }

  start(): void {
    if (this.running) return
    this.running = true
    this.failures = 0
    void this.startAttempt()
  }

  stop(): void {
    if (!this.running) return
    this.running = false
    this.end()
    this.endStills()
    this.emit({ type: 'stopped' })
  }

  /** Retries now instead of after the backoff. */
  retry(): void {
    if (!this.running) return
    this.emit({ type: 'retry' })
    void this.startAttempt()
  }

  /** Wakes a sleeping camera. The camera reports when it is awake, and the driver then sends the offer. */
  async wake(): Promise<void> {
    this.emit({ type: 'camera', state: 'waking', text: '' })
    if (!(await this.ports.wake())) this.emit({ type: 'camera', state: 'asleep', text: '' })
  }

  /** Applies a camera state that another source reported: the home feed. */
  hearCamera(camera: CameraStatePayload): void {
    if (this.running && camera.state !== this.camera?.state) this.onCamera(camera)
  }

  private showInset(media: MediaStream | null): void {
    this.inset = media
    if (this.insetVideo) this.insetVideo.srcObject = media
  }

  private emit(event: TileEvent): void {
    if (!(this.stills?.isShowing && QUIET.includes(event.type))) this.ports.emit(event)
  }

  /** True while the camera's last report says why it has no video. */
  private get isDown(): boolean {
    return this.camera !== null && this.camera.state !== 'awake'
  }

  private async startAttempt(): Promise<void> {
    this.end()
    const attempt = ++this.attempt
    this.emit({ type: 'begin' })
    const [stream, ways] = await Promise.all([this.ports.ticket(), loadWays()])
    if (attempt !== this.attempt || !this.running) return
    if (typeof stream === 'string') return this.fail(stream)
    if (!ways) return this.fail('no-service')
    this.emit({ type: 'step', step: 'ticket' })
    this.open(stream, ways)
  }

  private open(stream: LiveStream, { WebRtcSession, canPlayRelay, RelayPlayer }: Ways): void {
    const send = (message: RelayOut) => this.session?.send(JSON.stringify(message))
    const failed = () => this.onRelayFailed()
    const relay = canPlayRelay() ? new RelayPlayer({ send, failed }) : null
    this.relay = relay
    const hooks = {
      step: (step) => this.emit({ type: 'step', step }),
      media: (media) => this.screen.playMedia(media),
      inset: (media) => this.showInset(media),
      relay: (data) => this.beside?.receive(data) || this.relay?.push(data),
      camera: (camera) => this.onCamera(camera),
      chosen: (name) => this.ports.chosen(name),
      failed: (reason) => this.onFailed(reason),
      signallingClosed: (final) => this.onSignalingClosed(final),
    } satisfies SessionHooks
    this.session = new WebRtcSession(stream, hooks, relay !== null)
    if (!relay) return this.session.connect()
    this.screen.playRelay(relay)
    this.holdTimer = setTimeout(() => this.session?.connect(), HOLD_MS)
  }

  /** Handles a relay stream that this browser cannot decode: continues with WebRTC, unless that has failed before. */
  private onRelayFailed(): void {
    this.relay = this.transport = null
    this.screen.dropRelay()
    if (this.session?.isDropped) return this.fail('no-h264')
    this.endWatch()
    this.emit({ type: 'stalled' })
    this.session?.connect()
  }

  /** Handles a WebRTC failure: continues with the relay if it plays; otherwise, the relay has `RELAY_MS` to start. */
  private onFailed(reason: Reason): void {
    if (this.isDown) return
    if (!this.relay || this.transport === 'webrtc') return this.fail(reason)
    this.screen.dropMedia()
    this.session?.dropPeer()
    this.emit({ type: 'fallback', reason })
    void this.requestExtraTracks(this.session, this.relay)
    if (this.transport === null) this.retryTimer = setTimeout(() => this.isDown || this.fail(reason), RELAY_MS)
  }

  /** Requests the camera's extra tracks over the relay, because the relay now plays without WebRTC. */
  private async requestExtraTracks(session: WebRtcSession | null, relay: RelayPlayer): Promise<void> {
    const code = await import('../relay/relay-extra-tracks.ts').catch(() => null)
    if (!code || !session || session !== this.session || relay !== this.relay) return
    const { dual, audio } = session.stream
    const hooks = { relay, dual, audio, again: () => this.screen.again() }
    this.beside = new code.RelayExtraTracks({ ...hooks, send: (message) => session.send(JSON.stringify(message)) })
    this.beside.attachInset(this.insetVideo)
    this.beside.setSound(!this.screen.muted)
  }

  private onFirstFrame(transport: 'webrtc' | 'mse', width: number, height: number): void {
    this.transport = transport
    clearTimeout(this.retryTimer)
    if (transport === 'webrtc') {
      this.relay = null
      this.session?.settled()
    }
    this.endStills()
    this.failures = 0
    this.emit({ type: 'playing', transport, width, height })
    this.session?.connect()
    this.endWatch()
    void this.watchPicture()
  }

  private async watchPicture(): Promise<void> {
    const { session, relay } = this
    const { video } = this.screen
    const code = await loadWithRetry(() => import('./playback-monitor.ts'))
    if (!session || !video || session !== this.session || relay !== this.relay) return
    this.endWatch()
    this.watch = new code.PictureWatch({
      ...{ video, relay, pc: session.peer?.pc ?? null },
      isDown: () => this.isDown,
      wish: () => this.ports.wish(),
      chosenBefore: session.stream.rendition ?? null,
      send: (message) => session.send(message),
      figures: (figures) => this.emit({ type: 'figures', figures }),
      lost: () => this.lose(session),
    })
  }

  private endWatch(): void {
    this.watch?.stop()
    this.watch = null
  }

  /** Handles a stalled stream: reports it, then the camera's own reason, or retries immediately. */
  private lose(session: WebRtcSession): void {
    if (session !== this.session) return
    this.emit({ type: 'stalled' })
    if (this.camera && this.isDown) this.emit(toEvent(this.camera))
    else void this.startAttempt()
  }

  private onCamera(camera: CameraStatePayload): void {
    const before = this.camera?.state
    this.camera = camera
    if (this.isDown) this.endStills()
    const isBack = camera.state === 'awake' && before !== undefined && DOWN.includes(before)
    this.emit(toEvent(camera))
    if (isBack && this.frameAge() > DEAD_MS) void this.startAttempt()
  }

  private onSignalingClosed(final: boolean): void {
    if (final || this.transport !== 'webrtc' || this.frameAge() > DEAD_MS) this.fail('no-service')
  }

  private frameAge(): number {
    return this.watch?.age ?? (this.transport ? 0 : Infinity)
  }

  /** Ends this attempt with a reason and schedules the next. */
  private fail(reason: Reason): void {
    this.end()
    this.emit({ type: 'failed', reason })
    this.failures += 1
    const isHopeless = HOPELESS.includes(reason)
    const pause = backOff(isHopeless ? Infinity : this.failures, this.ports.random())
    this.retryTimer = setTimeout(() => void this.startAttempt(), pause)
    if (isHopeless || this.failures >= STILLS_AFTER) void this.showStills(reason)
  }

  /** Shows one snapshot per second until video plays. */
  private async showStills(reason: Reason): Promise<void> {
    const code = await import('./snapshot-player.ts').catch(() => null)
    if (!code || !this.running || this.stills || this.transport || reason === 'no-stream') return
    this.stills = new code.SnapshotPlayer({
      ask: () => this.ports.snapshot(),
      draw: (picture) => this.screen.draw(picture),
      shown: (width, height) => {
        this.emit({ type: 'fallback', reason })
        this.ports.emit({ type: 'playing', transport: 'snapshot', width, height })
      },
      lost: () => {
        this.stills = null
        this.emit({ type: 'failed', reason })
      },
    })
  }

  private endStills(): void {
    this.stills?.stop()
    this.stills = null
  }

  private end(): void {
    this.showInset(null)
    clearTimeout(this.retryTimer)
    clearTimeout(this.holdTimer)
    this.endWatch()
    this.screen.clear()
    this.beside?.close()
    this.session?.close()
    this.session = this.relay = this.beside = this.transport = this.camera = null
  }
}
