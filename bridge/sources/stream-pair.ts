import type { AccessUnit } from '../h264/annex-b.ts'
import type { Source } from './source.ts'

export type StreamName = 'main' | 'low'

/**
 * The two streams of one camera as one source. A switch happens at a keyframe of the wanted stream, so that no viewer
 * misses a picture; both carry the time of the same clock. When the stream on show dies the other takes its place.
 */
export class StreamPair implements Source {
  private readonly streams: Readonly<Record<StreamName, Source>>
  private readonly nameOf: (rendition: string) => StreamName | undefined
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  private wanted: StreamName = 'low'
  private shown: StreamName = 'low'

  /** `nameOf` says which stream a rendition is. */
  constructor(streams: Record<StreamName, Source>, nameOf: (rendition: string) => StreamName | undefined) {
    this.streams = streams
    this.nameOf = nameOf
    streams.main.watch((unit) => this.picture('main', unit))
    streams.low.watch((unit) => this.picture('low', unit))
  }

  start(): void {
    this.streams.main.start()
    this.streams.low.start()
  }

  stop(): void {
    this.streams.main.stop()
    this.streams.low.stop()
  }

  group(): readonly AccessUnit[] {
    return this.streams[this.shown].group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    return () => this.watchers.delete(onUnit)
  }

  /** Both streams have the same sound: the main stream's is it. */
  get watchAudio(): Source['watchAudio'] {
    return this.streams.main.watchAudio
  }

  setRendition(name: string): void {
    this.wanted = this.nameOf(name) ?? this.wanted
  }

  private picture(from: StreamName, unit: AccessUnit): void {
    const better = from === this.wanted || this.streams[this.shown].group().length === 0
    if (unit.keyframe && from !== this.shown && better) this.shown = from
    if (from === this.shown) for (const watcher of this.watchers) watcher(unit)
  }
}
