import { EXTRA_TRACK_OFFSETS, type ViewerRelayMessage } from '../../../contract/live/relay-protocol.ts'
import { parseRelayMessage, type RelayMessage } from './relay-message.ts'
import { RelayPlayer, RelayMediaSource } from './relay-player.ts'

/** Maximum number of cached audio messages of 100 ms each. Playback in another element starts with them. */
const MAX_CACHED_MESSAGES = 10
const MESSAGE_KIND_MASK = 0x0f

export interface ExtraTracksHooks {
  readonly relay: RelayPlayer
  readonly dual: boolean
  readonly audio: boolean
  send(message: ViewerRelayMessage): void
  /** Restarts the main video with or without audio, depending on the audio setting. */
  again(): void
}

/** Extra tracks of a relay that runs without WebRTC: the inset of a dual-lens camera, and audio on request. */
export class RelayExtraTracks {
  readonly #hooks: ExtraTracksHooks
  readonly #inset: RelayPlayer
  #wantsAudio = false
  /** Audio state last requested from the camera; null before the first request. */
  #requestedAudio: boolean | null = null
  /** Initialization segment of the audio, and its newest messages. */
  #audioMessages: RelayMessage[] = []
  #audioSource: RelayMediaSourceWithAudio | null = null

  constructor(hooks: ExtraTracksHooks) {
    this.#hooks = hooks
    this.#inset = new RelayPlayer({ send: (message) => hooks.send(message), onFailed: () => this.#inset.detach() })
    hooks.relay.createMediaSource = (...media) => this.#createMediaSource(...media)
  }

  attachInset(video: HTMLVideoElement | null): void {
    if (this.#hooks.dual) this.#inset.attach(video)
  }

  /**
   * Turns the audio on or off; does nothing if the camera has no audio. The next relay message triggers the request to
   * the camera.
   */
  setAudioEnabled(isEnabled: boolean): void {
    if (isEnabled === this.#wantsAudio || !this.#hooks.audio) return
    this.#wantsAudio = isEnabled
    if (!isEnabled) this.#discardAudio()
  }

  /**
   * Handles a relay message of an extra track and returns true; returns false for a message of the main video. Also
   * sends a pending request for extra tracks, because any message shows that the socket is open.
   */
  receive(data: ArrayBuffer): boolean {
    if (this.#requestedAudio !== this.#wantsAudio && (this.#hooks.dual || this.#wantsAudio || this.#requestedAudio))
      this.#requestTracks()
    const bytes = new Uint8Array(data)
    const [kind = 0] = bytes
    if (kind <= MESSAGE_KIND_MASK) return false
    bytes[0] = kind & MESSAGE_KIND_MASK
    if (kind - (kind & MESSAGE_KIND_MASK) === EXTRA_TRACK_OFFSETS.inset) this.#inset.push(data)
    else this.#receiveAudio(parseRelayMessage(data))
    return true
  }

  close(): void {
    this.#inset.close()
    this.#audioSource = null
  }

  #requestTracks(): void {
    this.#requestedAudio = this.#wantsAudio
    this.#hooks.send({ action: 'RELAY_BESIDE', inset: this.#hooks.dual, sound: this.#wantsAudio })
  }

  #receiveAudio(message: RelayMessage | null): void {
    const { relay, again } = this.#hooks
    relay.acknowledge()
    if (!message || !this.#wantsAudio) return
    const [init] = this.#audioMessages
    if (message.kind === 'init') this.#audioMessages = [{ ...message, type: message.type.replace('video', 'audio') }]
    else if (init) this.#audioMessages = [init, ...this.#audioMessages.slice(1).slice(1 - MAX_CACHED_MESSAGES), message]
    if (this.#audioMessages.length < 2 || !relay.hasInitSegment) return
    if (this.#audioSource) this.#audioSource.enqueueAudio(message)
    else again()
  }

  #createMediaSource(...[video, source, failed]: ConstructorParameters<typeof RelayMediaSource>): RelayMediaSource {
    this.#audioSource = null
    if (this.#audioMessages.length < 2) return new RelayMediaSource(video, source, failed)
    // If the browser cannot play the audio, the video continues without it.
    const audioSource = new RelayMediaSourceWithAudio(
      video,
      source,
      () => (this.#audioSource ? this.#discardAudio() : failed()),
      this.#audioMessages,
    )
    this.#audioSource = audioSource
    return audioSource
  }

  #discardAudio(): void {
    const hadSound = this.#audioSource !== null
    this.#audioMessages = []
    this.#audioSource = null
    if (hadSound) this.#hooks.again()
  }
}

/** Media source with a second buffer for the audio, so that the browser keeps audio and video in sync. */
class RelayMediaSourceWithAudio extends RelayMediaSource {
  readonly #audioQueue: RelayMessage[]
  #soundBuffer: SourceBuffer | null = null

  constructor(video: HTMLVideoElement, source: MediaSource, onFailed: () => void, audioQueue: readonly RelayMessage[]) {
    super(video, source, onFailed)
    this.#audioQueue = [...audioQueue]
  }

  enqueueAudio(message: RelayMessage): void {
    const isClosed = this.#soundBuffer !== null && this.source.readyState === 'closed'
    if (!isClosed) this.#audioQueue.push(message)
    this.#appendNextAudio()
  }

  /** Adds the audio buffer first: both buffers must exist before either gets its initialization segment. */
  protected override onSourceOpen(): void {
    const [init] = this.#audioQueue
    try {
      this.#soundBuffer = init?.kind === 'init' ? this.source.addSourceBuffer(init.type) : null
    } catch {
      return this.onFailed()
    }
    this.#soundBuffer?.addEventListener('updateend', () => {
      this.syncToLiveEdge()
      this.#appendNextAudio()
    })
    super.onSourceOpen()
    this.#appendNextAudio()
  }

  #appendNextAudio(): void {
    const audioBuffer = this.#soundBuffer
    if (this.source.readyState !== 'open' || !audioBuffer || audioBuffer.updating) return
    try {
      const [next] = this.#audioQueue
      if (!next || this.trimBuffer(audioBuffer)) return
      this.#audioQueue.shift()
      audioBuffer.appendBuffer(next.bytes)
    } catch {
      this.onFailed()
    }
  }
}
