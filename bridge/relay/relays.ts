import type { Pictures } from '../sources/source.ts'
import { Relay, type OpenRelay } from './relay.ts'

export interface RelaysOptions {
  readonly deviceId: string
  readonly openRelay: OpenRelay
  /** What is shown under a name; '' for the camera's own pictures. */
  picturesOf(rendition: string): Pictures
  /** The first has begun, or the last has ended, or something between. */
  changed(): void
}

/** The relays of one camera: one for each rendition that somebody watches. */
export class Relays {
  private readonly options: RelaysOptions
  private readonly relays = new Map<string, Relay>()

  constructor(options: RelaysOptions) {
    this.options = options
  }

  get isWatched(): boolean {
    return this.relays.size > 0
  }

  /** From the start, for a provider that has asked. */
  begin(rendition: string): void {
    const known = this.relays.get(rendition)
    if (known?.isOpen) return known.begin()
    known?.end()
    const { deviceId, openRelay, picturesOf, changed } = this.options
    const relay = new Relay(
      picturesOf(rendition),
      (ended) => openRelay(deviceId, rendition, ended),
      () => {
        this.relays.delete(rendition)
        changed()
      },
    )
    this.relays.set(rendition, relay)
    changed()
  }

  /** What is shown under their names may be something else from now on. */
  turn(): void {
    for (const [rendition, relay] of this.relays) relay.turnTo(this.options.picturesOf(rendition))
  }

  end(): void {
    for (const relay of this.relays.values()) relay.end()
  }
}
