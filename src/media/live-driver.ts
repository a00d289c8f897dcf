import type { Stream } from '../../contract/live.ts'
import type { CameraState, CameraStatePayload } from '../../contract/signalling.ts'
import { backOff } from './back-off.ts'
import { FrameWatch } from './frames.ts'
import { preparePeer, readStats, type Peer } from './peer.ts'
import type { Reason, TileEvent } from './tile-machine.ts'
import { WebRtcSession } from './webrtc.ts'

const STALL_MS = 2500
/** Without a frame for this long while the camera says it is gone, or back, the picture is dead. */
const DEAD_MS = 600
const LOOK_MS = 500
const FIGURES_EVERY = 2
const DOWN: readonly CameraState[] = ['offline', 'bridge_off', 'switched_off']
/** Trying again soon would not help: these get the slow pace at once. */
const HOPELESS: readonly Reason[] = ['udp-blocked', 'no-stream', 'no-picture']

export interface DriverPorts {
  /** A fresh, unused stream description, or why there is none. */
  ticket(): Promise<Stream | Reason>
  /** Tells the camera to wake; false when nobody could. */
  wake(): Promise<boolean>
  emit(event: TileEvent): void
  /** In [0, 1). */
  random(): number
}

/**
 * Keeps one camera playing: attempts, watches frames, tries again with back-off. `start` and `stop` may be called any
 * number of times; after `stop` no timer, socket or connection of it is left.
 */
export class LiveDriver {
  private readonly ports: DriverPorts
  private video: HTMLVideoElement | null = null
  private still: HTMLCanvasElement | null = null
  private media: MediaStream | null = null
  private session: WebRtcSession | null = null
  private spare: Peer | null = null
  private frames: FrameWatch | null = null
  private look: ReturnType<typeof setInterval> | undefined
  private retryTimer: ReturnType<typeof setTimeout> | undefined
  private attempt = 0
  private failures = 0
  private running = false
  private looks = 0
  private decoded = 0
  private camera: CameraStatePayload | null = null
  private muted = true

  constructor(ports: DriverPorts) {
    this.ports = ports
  }

  /** Shows the picture in `video`, now or once it arrives, and leaves its last frame in `still`; null takes it away. */
  attach(video: HTMLVideoElement | null, still: HTMLCanvasElement | null = null): void {
    this.still = still
    this.frames?.stop()
    this.frames = null
    if (this.video && this.video !== video) this.video.srcObject = null
    this.video = video
    this.show()
  }

  /** Sound of the picture; off at first, and kept over new connections. */
  setMuted(muted: boolean): void {
    this.muted = muted
    if (this.video) this.video.muted = muted
  }

  start(): void {
    if (this.running) return
    this.running = true
    this.failures = 0
    void this.begin()
  }

  stop(): void {
    if (!this.running) return
    this.running = false
    this.end()
    this.spare?.pc.close()
    this.spare = null
    this.ports.emit({ type: 'stopped' })
  }

  /** Tries again now instead of when the back-off ends. */
  retry(): void {
    if (!this.running) return
    this.ports.emit({ type: 'retry' })
    void this.begin()
  }

  /** Asks a sleeping camera to wake; it says itself when it is, and then gets the offer. */
  async wake(): Promise<void> {
    this.ports.emit({ type: 'camera', state: 'waking', text: '' })
    if (!(await this.ports.wake())) this.ports.emit({ type: 'camera', state: 'asleep', text: '' })
  }

  /** Another witness (the home feed) says how the camera is. */
  hearCamera(camera: CameraStatePayload): void {
    if (this.running && camera.state !== this.camera?.state) this.onCamera(camera)
  }

  /** The camera has said why there can be no picture; its next word ends that. */
  private get isDown(): boolean {
    return this.camera !== null && this.camera.state !== 'awake'
  }

  private async begin(): Promise<void> {
    this.end()
    const attempt = ++this.attempt
    this.ports.emit({ type: 'begin' })
    this.spare ??= preparePeer()
    if (!this.spare.offer) return this.give('no-h264')
    const stream = await this.ports.ticket()
    if (attempt !== this.attempt || !this.running) return
    if (typeof stream === 'string') return this.fail(stream)
    this.ports.emit({ type: 'step', step: 'ticket' })
    this.open(stream)
  }

  private open(stream: Stream): void {
    const peer = this.spare ?? preparePeer()
    this.spare = null
    this.session = new WebRtcSession(stream, peer, {
      step: (step) => this.ports.emit({ type: 'step', step }),
      media: (media) => {
        this.media = media
        this.show()
      },
      camera: (camera) => this.onCamera(camera),
      failed: (reason) => this.isDown || this.fail(reason),
      signallingClosed: (final) => this.onSignallingClosed(final),
    })
  }

  private show(): void {
    const { video, media } = this
    if (!video || !media) return
    video.muted = this.muted
    video.playsInline = true
    video.srcObject = media
    this.frames?.stop()
    this.frames = new FrameWatch(video, (width, height) => this.onFirstFrame(width, height))
    video.play().catch(() => undefined)
  }

  private onFirstFrame(width: number, height: number): void {
    this.session?.settled()
    this.failures = 0
    this.looks = 0
    this.ports.emit({ type: 'playing', width, height })
    clearInterval(this.look)
    this.look = setInterval(() => void this.watch(), LOOK_MS)
  }

  private async watch(): Promise<void> {
    const { session, frames } = this
    if (!session || !frames) return
    const age = performance.now() - frames.lastAt
    if (age > (this.isDown ? DEAD_MS : STALL_MS) && !(await this.isDecoding(session))) return this.lose(session)
    this.looks += 1
    if (this.looks % FIGURES_EVERY !== 0 || age > LOOK_MS * 2) return
    const { framesDecoded, roundTripMs } = await readStats(session.peer.pc)
    this.decoded = framesDecoded
    if (session === this.session)
      this.ports.emit({ type: 'figures', figures: frames.figures(performance.now(), roundTripMs) })
  }

  /** A window behind another one presents no frames, yet decodes them: that is no stall. */
  private async isDecoding(session: WebRtcSession): Promise<boolean> {
    const { framesDecoded } = await readStats(session.peer.pc)
    const moves = framesDecoded !== this.decoded
    this.decoded = framesDecoded
    return moves || session !== this.session
  }

  /** The picture has stopped: say so, then what the camera said of itself, or try again at once. */
  private lose(session: WebRtcSession): void {
    if (session !== this.session) return
    clearInterval(this.look)
    this.ports.emit({ type: 'stalled' })
    if (this.camera && this.isDown) this.ports.emit(toEvent(this.camera))
    else void this.begin()
  }

  private onCamera(camera: CameraStatePayload): void {
    const before = this.camera?.state
    this.camera = camera
    const isBack = camera.state === 'awake' && before !== undefined && DOWN.includes(before)
    this.ports.emit(toEvent(camera))
    const age = this.frames ? performance.now() - this.frames.lastAt : Infinity
    if (isBack && age > DEAD_MS) void this.begin()
  }

  private onSignallingClosed(final: boolean): void {
    const age = this.frames?.lastAt ? performance.now() - this.frames.lastAt : Infinity
    if (final || age > DEAD_MS) this.fail('no-service')
  }

  /** Ends this attempt with a reason and plans the next. */
  private fail(reason: Reason): void {
    this.give(reason)
    this.failures += 1
    const attempt = HOPELESS.includes(reason) ? Infinity : this.failures
    this.retryTimer = setTimeout(() => void this.begin(), backOff(attempt, this.ports.random()))
  }

  private give(reason: Reason): void {
    this.end()
    this.ports.emit({ type: 'failed', reason })
  }

  private end(): void {
    clearTimeout(this.retryTimer)
    clearInterval(this.look)
    if (this.frames?.lastAt) keepFrame(this.video, this.still)
    this.session?.close()
    this.session = null
    this.media = null
    this.camera = null
    this.frames?.stop()
    this.frames = null
  }
}

const toEvent = (camera: CameraStatePayload): TileEvent => ({
  type: 'camera',
  state: camera.state,
  text: camera.reason,
})

/** A video whose connection has ended turns black: what it showed is drawn beneath it before. */
function keepFrame(video: HTMLVideoElement | null, still: HTMLCanvasElement | null): void {
  if (!video || !still || video.videoWidth === 0) return
  still.width = video.videoWidth
  still.height = video.videoHeight
  still.getContext('2d')?.drawImage(video, 0, 0)
}
