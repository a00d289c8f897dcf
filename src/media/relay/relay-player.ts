import {
  RELAY_ACK_INTERVAL_MS,
  RELAY_MEDIA_TYPE,
  type ViewerRelayMessage,
} from '../../../contract/live/relay-protocol.ts'
import {
  nextToleratedLatency,
  computeLiveEdgeCorrection,
  parseRelayMessage,
  type RelayMessage,
} from './relay-message.ts'

/**
 * Maximum length of buffered video behind the playback position, s. Longer video is trimmed to
 * `TRIMMED_BUFFER_BEHIND_S`.
 */
const MAX_BUFFER_BEHIND_S = 30
const TRIMMED_BUFFER_BEHIND_S = 10

export interface RelayHooks {
  send(message: ViewerRelayMessage): void
  /** Called if this browser cannot play the camera's stream. */
  onFailed(): void
}

type MediaSourceClass = typeof MediaSource
/** Returns the browser's media source class, or null. iPhones have only ManagedMediaSource. */
const getMediaSourceClass = (): MediaSourceClass | null => {
  const { ManagedMediaSource, MediaSource: Plain } = globalThis as {
    ManagedMediaSource?: MediaSourceClass
    MediaSource?: MediaSourceClass
  }
  return ManagedMediaSource ?? Plain ?? null
}

export const canPlayRelay = (): boolean => getMediaSourceClass()?.isTypeSupported(RELAY_MEDIA_TYPE) ?? false

/** Plays the relay stream in a video element, which may be attached late and may change. */
export class RelayPlayer {
  receivedCount = 0
  /** Creates the media source for an element. `RelayExtraTracks` replaces this function to add audio. */
  createMediaSource = (...media: ConstructorParameters<typeof RelayMediaSource>): RelayMediaSource =>
    new RelayMediaSource(...media)
  readonly #hooks: RelayHooks
  /** Initialization segment and the current GOP: enough to start in another element. */
  #cachedMessages: RelayMessage[] = []
  #mediaSource: RelayMediaSource | null = null
  #unacknowledgedCount = 0
  #acknowledgeTimer: ReturnType<typeof setTimeout> | undefined
  /** Hidden element that detects the first frame of the WebRTC stream while the relay stays on screen. */
  #probe: HTMLVideoElement | null = null

  constructor(hooks: RelayHooks) {
    this.#hooks = hooks
  }

  push(data: ArrayBuffer): void {
    const message = parseRelayMessage(data)
    if (!message) return
    this.receivedCount += 1
    this.acknowledge()
    const init = this.#cachedMessages.find(({ kind }) => kind === 'init')
    if (message.kind === 'init') this.#cachedMessages = []
    else if (message.kind === 'key' && init) this.#cachedMessages = [init]
    this.#cachedMessages.push(message)
    this.#mediaSource?.enqueue(message)
  }

  attach(video: HTMLVideoElement | null): void {
    if (video && this.#mediaSource?.video === video) return
    this.#mediaSource?.close()
    const mediaSourceClass = getMediaSourceClass()
    this.#mediaSource =
      video && mediaSourceClass && this.createMediaSource(video, new mediaSourceClass(), () => this.#hooks.onFailed())
    for (const message of this.#cachedMessages) this.#mediaSource?.enqueue(message)
  }

  get hasInitSegment(): boolean {
    return this.#cachedMessages.length > 0
  }

  /** Detaches from the element; the next `attach` starts playback again. */
  detach(): void {
    this.#mediaSource?.close()
    this.#mediaSource = null
  }

  /** Returns the time from the frame on the screen to the newest buffered frame, ms; null if nothing is buffered. */
  getLagMs(): number | null {
    return this.#mediaSource?.getLagMs() ?? null
  }

  /**
   * Calls `callback` when the WebRTC stream `media` has its first frame. `close` or `discardProbe` cancels the wait.
   */
  waitForFirstFrame(media: MediaStream, callback: () => void): void {
    const probe = document.createElement('video')
    probe.muted = true
    probe.srcObject = media
    probe.onloadeddata = () => probe === this.#probe && callback()
    this.#probe = probe
    probe.play().catch(() => undefined)
  }

  /** Stops waiting for the first frame of the WebRTC stream. */
  discardProbe(): void {
    if (this.#probe) this.#probe.srcObject = null
    this.#probe = null
  }

  close(): void {
    clearTimeout(this.#acknowledgeTimer)
    this.discardProbe()
    this.detach()
  }

  /** Counts a message and acknowledges it with the next batch. */
  acknowledge(): void {
    this.#unacknowledgedCount += 1
    this.#acknowledgeTimer ??= setTimeout(() => {
      this.#hooks.send({ action: 'RELAY_ACK', received: this.#unacknowledgedCount })
      this.#unacknowledgedCount = 0
      this.#acknowledgeTimer = undefined
    }, RELAY_ACK_INTERVAL_MS)
  }
}

export class RelayMediaSource {
  readonly video: HTMLVideoElement
  protected readonly source: MediaSource
  protected readonly onFailed: () => void
  readonly #url: string
  readonly #queue: RelayMessage[] = []
  #buffer: SourceBuffer | null = null
  #mustClear = false
  #isAtLiveEdge = false
  #toleratedLatencyS = 0

  constructor(video: HTMLVideoElement, source: MediaSource, onFailed: () => void) {
    this.video = video
    this.source = source
    this.onFailed = onFailed
    this.#url = URL.createObjectURL(source)
    source.addEventListener('sourceopen', () => this.onSourceOpen(), { once: true })
    if (video.srcObject) video.srcObject = null
    // When a decoder fails, the source closes without firing an error event; only the video element fires one.
    video.onerror = () => this.#fail()
    video.onwaiting = () => {
      if (this.#isAtLiveEdge) this.#toleratedLatencyS = nextToleratedLatency(this.#toleratedLatencyS, 'waited')
    }
    video.src = this.#url
  }

  enqueue(message: RelayMessage): void {
    this.#queue.push(message)
    this.#processQueue()
  }

  getLagMs(): number | null {
    const { buffered, currentTime } = this.video
    return buffered.length > 0 ? Math.max(0, (buffered.end(buffered.length - 1) - currentTime) * 1000) : null
  }

  close(): void {
    this.#queue.length = 0
    this.#buffer = null
    URL.revokeObjectURL(this.#url)
    this.video.onwaiting = this.video.onerror = null
    if (this.video.src !== this.#url) return
    this.video.removeAttribute('src')
    if (!this.video.srcObject) this.video.load()
  }

  protected onSourceOpen(): void {
    this.#processQueue()
  }

  /** Runs one buffer operation at a time; `updateend` starts the next. */
  #processQueue(): void {
    if (this.source.readyState !== 'open' || this.#buffer?.updating || this.#queue.length === 0) return
    try {
      this.#processNext()
    } catch {
      // The browser does not support the type, or the buffer is full in spite of trimming.
      this.#fail()
    }
  }

  #fail(): void {
    this.#queue.length = 0
    this.onFailed()
  }

  #processNext(): void {
    const [first] = this.#queue
    if (first?.kind === 'init') {
      if (this.#mustClear) return this.#clearBuffer()
      this.#queue.shift()
      this.#openBuffer(first.type)
      this.#mustClear = true
      this.#buffer?.appendBuffer(first.bytes)
      return
    }
    if (this.trimBuffer(this.#buffer)) return
    const next = this.#queue.findIndex(({ kind }) => kind === 'init')
    this.#buffer?.appendBuffer(concatMessages(this.#queue.splice(0, next === -1 ? this.#queue.length : next)))
  }

  /**
   * Empties the buffer, because timestamps restart with every initialization segment and older ranges would overlap.
   */
  #clearBuffer(): void {
    this.#mustClear = this.#isAtLiveEdge = false
    this.#buffer?.abort()
    this.#buffer?.remove(0, Infinity)
  }

  #openBuffer(type: string): void {
    if (this.#buffer) return this.#buffer.changeType(type)
    this.#buffer = this.source.addSourceBuffer(type)
    this.#buffer.addEventListener('updateend', () => {
      this.syncToLiveEdge()
      this.#processQueue()
    })
  }

  /** Removes old media from the buffer. Returns true if a removal has started; `updateend` reports its end. */
  protected trimBuffer(buffer: SourceBuffer | null): boolean {
    const { currentTime } = this.video
    const isTooLong =
      buffer && buffer.buffered.length > 0 && currentTime - buffer.buffered.start(0) > MAX_BUFFER_BEHIND_S
    if (isTooLong) buffer.remove(0, currentTime - TRIMMED_BUFFER_BEHIND_S)
    return Boolean(isTooLong)
  }

  protected syncToLiveEdge(): void {
    const { video } = this
    const { buffered } = video
    const last = buffered.length - 1
    if (!this.#buffer || last < 0) return
    this.#toleratedLatencyS = nextToleratedLatency(this.#toleratedLatencyS, 'picture')
    const at = this.#isAtLiveEdge ? video.currentTime : -1
    const { seek, rate } = computeLiveEdgeCorrection(
      at,
      buffered.start(last),
      buffered.end(last),
      this.#toleratedLatencyS,
    )
    this.#isAtLiveEdge = true
    if (seek !== null) video.currentTime = seek
    if (video.playbackRate !== rate) video.playbackRate = rate
    if (video.paused) video.play().catch(() => undefined)
  }
}

function concatMessages(messages: readonly RelayMessage[]): Uint8Array<ArrayBuffer> {
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
