import type { LensFrames, VideoSource } from '../sources/video-source.ts'
import { RelayClock } from './relay-clock.ts'
import { VideoRelay, type OpenRelay } from './video-relay.ts'
import { AudioRelay } from './audio-relay.ts'

export interface CameraRelaysOptions {
  readonly deviceId: string
  readonly openRelay: OpenRelay
  readonly source: VideoSource
  /** Returns the frames of a rendition; '' selects the lowest rendition. */
  getRenditionFrames(rendition: string): LensFrames
  /** Called when a relay starts or ends. */
  onChange(): void
}

/** Relays of one camera: one per watched rendition and per extra track (`EXTRA_TRACK_OFFSETS`). */
export class CameraRelays {
  readonly #options: CameraRelaysOptions
  readonly #relays = new Map<string, VideoRelay | AudioRelay>()
  readonly #relayClock = new RelayClock()

  constructor(options: CameraRelaysOptions) {
    this.#options = options
  }

  get isWatched(): boolean {
    return this.#relays.size > 0
  }

  /** Starts a relay, or restarts it if it runs. Ignores an extra track that the camera does not have. */
  start(name: string): void {
    const { source } = this.#options
    if ((name === 'inset' && !source.inset) || (name === 'sound' && !source.watchAudio)) return
    const existing = this.#relays.get(name)
    if (existing?.isOpen) return existing.start()
    existing?.end()
    this.#relays.set(name, this.#open(name))
    this.#options.onChange()
  }

  #open(name: string): VideoRelay | AudioRelay {
    const { deviceId, source, openRelay, onChange } = this.#options
    const context = {
      name,
      epoch: this.#relayClock,
      open: (ended: () => void) => openRelay(deviceId, name, ended),
      ended: () => {
        this.#relays.delete(name)
        onChange()
      },
    }
    return name === 'sound' ? new AudioRelay(source, context) : new VideoRelay(this.#getTrackFrames(name), context)
  }

  #getTrackFrames(name: string): LensFrames {
    const { source, getRenditionFrames } = this.#options
    return name === 'inset' && source.inset ? source.inset : getRenditionFrames(name)
  }

  /** Switches each video relay to the stream that its rendition name now selects. */
  updateStreams(): void {
    for (const [name, relay] of this.#relays)
      if (relay instanceof VideoRelay) relay.switchTo(this.#getTrackFrames(name))
  }

  end(): void {
    for (const relay of this.#relays.values()) relay.end()
  }
}
