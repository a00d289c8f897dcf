import { RELAY_ACK_MS, RELAY_TYPE, type RelayOut } from '../../../contract/live/relay-protocol.ts'
import { easeAfter, liveEdge, readRelayMessage, type RelayMessage } from './relay-message.ts'

/** What lies further behind than this, s, is given back. */
const BEHIND_S = 30
const KEEP_S = 10

export interface RelayHooks {
  send(message: RelayOut): void
  /** This browser does not play what the camera sends. */
  failed(): void
}

type Source = typeof MediaSource
/** The browser's media source, or null where it has none; iPhones have the managed kind only. */
const sourceClass = (): Source | null => {
  const { ManagedMediaSource, MediaSource: Plain } = globalThis as { ManagedMediaSource?: Source; MediaSource?: Source }
  return ManagedMediaSource ?? Plain ?? null
}

/** Whether this browser can play what the relay sends. */
export const canPlayRelay = (): boolean => sourceClass()?.isTypeSupported(RELAY_TYPE) ?? false

/** Plays the pictures of the relay in a video element, which may come late and may change. */
export class RelayPlayer {
  /** Messages so far. */
  received = 0
  /** What shows the pictures in an element; whoever changes it calls `restage`. */
  stageOf = (...media: ConstructorParameters<typeof Stage>): Stage => new Stage(...media)
  private readonly hooks: RelayHooks
  /** The beginning and everything since the last keyframe: enough to start in another element. */
  private kept: RelayMessage[] = []
  private stage: Stage | null = null
  private unacknowledged = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Sees the first frame of another stream while this one stays on the screen. */
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

  /** Whether it is known what the pictures are. */
  get isBegun(): boolean {
    return this.kept.length > 0
  }

  /** Leaves the element; the next `attach` begins in it anew. */
  restage(): void {
    this.stage?.close()
    this.stage = null
  }

  /** From the newest picture that has arrived to the one on the screen, ms. */
  lagMs(): number | null {
    return this.stage?.lagMs() ?? null
  }

  /** Calls `then` with the first frame of that stream, unless this player is closed before. */
  whenShown(media: MediaStream, then: () => void): void {
    const probe = document.createElement('video')
    probe.muted = true
    probe.srcObject = media
    probe.onloadeddata = () => probe === this.probe && then()
    this.probe = probe
    probe.play().catch(() => undefined)
  }

  /** The other stream does not come. */
  dropProbe(): void {
    if (this.probe) this.probe.srcObject = null
    this.probe = null
  }

  close(): void {
    clearTimeout(this.timer)
    this.dropProbe()
    this.restage()
  }

  /** Another message has arrived. */
  acknowledge(): void {
    this.unacknowledged += 1
    this.timer ??= setTimeout(() => {
      this.hooks.send({ action: 'RELAY_ACK', received: this.unacknowledged })
      this.unacknowledged = 0
      this.timer = undefined
    }, RELAY_ACK_MS)
  }
}

/** One media source in one element. */
export class Stage {
  readonly video: HTMLVideoElement
  protected readonly source: MediaSource
  protected readonly failed: () => void
  private readonly url: string
  private readonly queue: RelayMessage[] = []
  private buffer: SourceBuffer | null = null
  private mustClear = false
  /** Whether playing has been put to the live edge. */
  private placed = false
  private ease = 0

  constructor(video: HTMLVideoElement, source: MediaSource, failed: () => void) {
    this.video = video
    this.source = source
    this.failed = failed
    this.url = URL.createObjectURL(source)
    source.addEventListener('sourceopen', () => this.start(), { once: true })
    if (video.srcObject) video.srcObject = null
    // A decoder that fails closes the source without a word to it.
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

  /** One operation at a time; the end of each begins the next. */
  private pump(): void {
    if (this.source.readyState !== 'open' || this.buffer?.updating || this.queue.length === 0) return
    try {
      this.work()
    } catch {
      // A type that is not supported, or a buffer that is full in spite of trimming.
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

  /** Times begin anew with every initialisation: what was before would be in the way. */
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

  /** Gives back what lies far behind, if there is something. */
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
