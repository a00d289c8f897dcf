import type { LensFrames, Source } from '../sources/video-source.ts'
import { RelayClock } from './relay-clock.ts'
import { Relay, type OpenRelay } from './video-relay.ts'
import { SoundRelay } from './audio-relay.ts'

export interface RelaysOptions {
  readonly deviceId: string
  readonly openRelay: OpenRelay
  readonly source: Source
  /** Returns the frames of a rendition; '' selects the camera's own stream. */
  picturesOf(rendition: string): LensFrames
  /** Called when a relay starts or ends. */
  changed(): void
}

/** Relays of one camera: one per watched rendition and per extra track (`RELAY_BESIDE`). */
export class Relays {
  private readonly options: RelaysOptions
  private readonly relays = new Map<string, Relay | SoundRelay>()
  private readonly epoch = new RelayClock()

  constructor(options: RelaysOptions) {
    this.options = options
  }

  get isWatched(): boolean {
    return this.relays.size > 0
  }

  /** Starts a relay, or restarts it on the provider's request; ignores an extra track that the camera does not have. */
  start(name: string): void {
    const { source } = this.options
    if ((name === 'inset' && !source.inset) || (name === 'sound' && !source.watchAudio)) return
    const existing = this.relays.get(name)
    if (existing?.isOpen) return existing.start()
    existing?.end()
    this.relays.set(name, this.open(name))
    this.options.changed()
  }

  private open(name: string): Relay | SoundRelay {
    const { deviceId, source, openRelay, changed } = this.options
    const line = {
      ...{ name, epoch: this.epoch },
      open: (ended: () => void) => openRelay(deviceId, name, ended),
      ended: () => {
        this.relays.delete(name)
        changed()
      },
    }
    return name === 'sound' ? new SoundRelay(source, line) : new Relay(this.selectPictures(name), line)
  }

  private selectPictures(name: string): LensFrames {
    const { source, picturesOf } = this.options
    return name === 'inset' && source.inset ? source.inset : picturesOf(name)
  }

  /** Switches each relay to the stream that its rendition name now refers to. */
  turn(): void {
    for (const [name, relay] of this.relays) if (relay instanceof Relay) relay.turnTo(this.selectPictures(name))
  }

  end(): void {
    for (const relay of this.relays.values()) relay.end()
  }
}
