import { RELAY_ACK_MS, RELAY_TYPE, type RelayOut } from '../../../contract/live/relay-protocol.ts'
import { easeAfter, liveEdge, readRelayMessage, type RelayMessage } from './relay-message.ts'

/** Maximum length of buffered video behind the playback position, s. If exceeded, only `KEEP_S` is kept. */
const BEHIND_S = 30
const KEEP_S = 10

export interface RelayHooks {
  send(message: RelayOut): void
  /** Called if this browser cannot play the camera's stream. */
  failed(): void
}

type Source = typeof MediaSource
/** Returns the browser's media source class, or null. iPhones have only ManagedMediaSource. */
const sourceClass = (): Source | null => {
  const { ManagedMediaSource, MediaSource: Plain } = globalThis as { ManagedMediaSource?: Source; MediaSource?: Source }
  return ManagedMediaSource ?? Plain ?? null
}

export const canPlayRelay = (): boolean => sourceClass()?.isTypeSupported(RELAY_TYPE) ?? false

/** Plays the relay in a video element, which may be attached late and may change. */
export class RelayPlayer {
  /** Number of messages received. */
  received = 0
  /** Creates the media source for an element. After replacing this function, call `restage`. */
  stageOf = (...media: ConstructorParameters<typeof RelayMediaSource>): RelayMediaSource =>
    new RelayMediaSource(...media)
  private readonly hooks: RelayHooks
  /** Initialization segment and the current GOP: enough to start in another element. */
  private kept: RelayMessage[] = []
  private stage: RelayMediaSource | null = null
  private unacknowledged = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Hidden element that detects the first frame of the WebRTC stream while the relay stays on screen. */
  private probe: HTMLVideoElement | null = null

  constructor(hooks: RelayHooks) {
    this.hooks = hooks
  }

  push(data: ArrayBuffer): void {
    const message = readRelayMessage(data)
    if (!message) return
    this.received += 1
    this.acknowledge()
    const init = this.kept.find(({ kind }) => kind === 'init')
    if (message.kind === 'init') this.kept = []
    else if (message.kind === 'key' && init) this.kept = [init]
    this.kept.push(message)
    this.stage?.enqueue(message)
  }

  attach(video: HTMLVideoElement | null): void {
    if (video && this.stage?.video === video) return
    this.stage?.close()
    const kind = sourceClass()
    this.stage = video && kind && this.stageOf(video, new kind(), () => this.hooks.failed())
    for (const message of this.kept) this.stage?.enqueue(message)
  }

  /** Returns true once the initialization segment has arrived. */
  get isBegun(): boolean {
    return this.kept.length > 0
  }

  /** Detaches from the element; the next `attach` starts again. */
  restage(): void {
    this.stage?.close()
    this.stage = null
  }

  /** Latency between the newest frame received and the frame on the screen, ms. */
  lagMs(): number | null {
    return this.stage?.lagMs() ?? null
  }

  /**
   * Calls `then` when `media`, another stream, has its first frame, unless this player is closed or stops waiting
   * before.
   */
  whenShown(media: MediaStream, then: () => void): void {
    const probe = document.createElement('video')
    probe.muted = true
    probe.srcObject = media
    probe.onloadeddata = () => probe === this.probe && then()
    this.probe = probe
    probe.play().catch(() => undefined)
  }

  /** Stops waiting for the other stream. */
  dropProbe(): void {
    if (this.probe) this.probe.srcObject = null
    this.probe = null
  }

  close(): void {
    clearTimeout(this.timer)
    this.dropProbe()
    this.restage()
  }

  /** Counts a message and acknowledges it with the next batch. */
  acknowledge(): void {
    this.unacknowledged += 1
    this.timer ??= setTimeout(() => {
      this.hooks.send({ action: 'RELAY_ACK', received: this.unacknowledged })
      this.unacknowledged = 0
      this.timer = undefined
    }, RELAY_ACK_MS)
  }
}

export class RelayMediaSource {
  readonly video: HTMLVideoElement
  protected readonly source: MediaSource
  protected readonly failed: () => void
  private readonly url: string
  private readonly queue: RelayMessage[] = []
  private buffer: SourceBuffer | null = null
  private mustClear = false
  /** True once playback has moved to the live edge. */
  private placed = false
  private ease = 0

  constructor(video: HTMLVideoElement, source: MediaSource, failed: () => void) {
    this.video = video
    this.source = source
    this.failed = failed
    this.url = URL.createObjectURL(source)
    source.addEventListener('sourceopen', () => this.start(), { once: true })
    if (video.srcObject) video.srcObject = null
    // When a decoder fails, the source closes without firing an error event; only the video element fires one.
    video.onerror = () => this.fail()
    video.onwaiting = () => {
      if (this.placed) this.ease = easeAfter(this.ease, 'waited')
    }
    video.src = this.url
  }

  enqueue(message: RelayMessage): void {
    this.queue.push(message)
    this.pump()
  }

  lagMs(): number | null {
    const { buffered, currentTime } = this.video
    return buffered.length > 0 ? Math.max(0, (buffered.end(buffered.length - 1) - currentTime) * 1000) : null
  }

  close(): void {
    this.queue.length = 0
    this.buffer = null
    URL.revokeObjectURL(this.url)
    this.video.onwaiting = this.video.onerror = null
    if (this.video.src !== this.url) return
    this.video.removeAttribute('src')
    if (!this.video.srcObject) this.video.load()
  }

  protected start(): void {
    this.pump()
  }

  /** Runs one buffer operation at a time; `updateend` starts the next. */
  private pump(): void {
    if (this.source.readyState !== 'open' || this.buffer?.updating || this.queue.length === 0) return
    try {
      this.work()
    } catch {
      // The type is not supported, or the buffer is full in spite of trimming.
      this.fail()
    }
  }

  private fail(): void {
    this.queue.length = 0
    this.failed()
  }

  private work(): void {
    const [first] = this.queue
    if (first?.kind === 'init') {
      if (this.mustClear) return this.clear()
      this.queue.shift()
      this.open(first.type)
      this.mustClear = true
      this.buffer?.appendBuffer(first.bytes)
      return
    }
    if (this.lighten(this.buffer)) return
    const next = this.queue.findIndex(({ kind }) => kind === 'init')
    this.buffer?.appendBuffer(join(this.queue.splice(0, next === -1 ? this.queue.length : next)))
  }

  /**
   * Empties the buffer, because timestamps restart with every initialization segment and older ranges would overlap.
   */
  private clear(): void {
    this.mustClear = this.placed = false
    this.buffer?.abort()
    this.buffer?.remove(0, Infinity)
  }

  private open(type: string): void {
    if (this.buffer) return this.buffer.changeType(type)
    this.buffer = this.source.addSourceBuffer(type)
    this.buffer.addEventListener('updateend', () => {
      this.syncToLiveEdge()
      this.pump()
    })
  }

  /** Removes old video from the buffer. Returns true if there was any. */
  protected lighten(buffer: SourceBuffer | null): boolean {
    const { currentTime } = this.video
    const isHeavy = buffer && buffer.buffered.length > 0 && currentTime - buffer.buffered.start(0) > BEHIND_S
    if (isHeavy) buffer.remove(0, currentTime - KEEP_S)
    return Boolean(isHeavy)
  }

  protected syncToLiveEdge(): void {
    const { video } = this
    const { buffered } = video
    const last = buffered.length - 1
    if (!this.buffer || last < 0) return
    this.ease = easeAfter(this.ease, 'picture')
    const at = this.placed ? video.currentTime : -1
    const { seek, rate } = liveEdge(at, buffered.start(last), buffered.end(last), this.ease)
    this.placed = true
    if (seek !== null) video.currentTime = seek
    if (video.playbackRate !== rate) video.playbackRate = rate
    if (video.paused) video.play().catch(() => undefined)
  }
}

function join(messages: readonly RelayMessage[]): Uint8Array<ArrayBuffer> {
  const [only] = messages
  if (messages.length === 1 && only) return only.bytes
  const all = new Uint8Array(messages.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let at = 0
  for (const { bytes } of messages) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}
