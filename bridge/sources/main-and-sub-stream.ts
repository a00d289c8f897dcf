import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { LensFrames, Source } from './video-source.ts'

export type StreamName = 'main' | 'low'
type Streams = Readonly<Record<StreamName, Source>>

/** Delay before an unwatched sub-stream stops: a viewer who reloads the page returns sooner. */
export const LEFT_AFTER_MS = 10_000

/**
 * Presents the two streams of one camera as one source; its own frames are those of the sub-stream. The main stream
 * always runs, for recordings; the sub-stream runs only while watched.
 */
export class StreamPair implements Source {
  private readonly streams: Streams
  private readonly nameOf: (rendition: string) => StreamName
  private readonly views: Readonly<Record<StreamName, View>>
  private running = false
  private wanted = false
  private leaving: NodeJS.Timeout | undefined

  constructor(streams: Streams, nameOf: (rendition: string) => StreamName) {
    this.streams = streams
    this.nameOf = nameOf
    this.views = {
      main: new View(streams, 'main', () => undefined),
      low: new View(streams, 'low', (watched) => this.want(watched)),
    }
  }

  start(): void {
    this.running = true
    this.streams.main.start()
    if (this.wanted) this.streams.low.start()
  }

  stop(): void {
    this.running = false
    clearTimeout(this.leaving)
    this.streams.main.stop()
    this.streams.low.stop()
  }

  group(): readonly AccessUnit[] {
    return this.views.low.group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.views.low.watch(onUnit)
  }

  /** Both streams carry the same audio; the main stream provides it. */
  get watchAudio(): Source['watchAudio'] {
    return this.streams.main.watchAudio
  }

  rendition(name: string): LensFrames {
    return this.nameOf(name) === 'main' ? this.views.main : this
  }

  private want(watched: boolean): void {
    this.wanted = watched
    clearTimeout(this.leaving)
    if (watched && this.running) this.streams.low.start()
    if (!watched) this.leaving = setTimeout(() => this.streams.low.stop(), LEFT_AFTER_MS).unref()
  }
}

/**
 * Passes on the frames of the requested stream while it has any, otherwise those of the other stream. Switches only at
 * a keyframe, so viewers miss no frame; both streams are stamped by the same clock.
 */
class View implements LensFrames {
  private readonly streams: Streams
  private readonly wanted: StreamName
  private readonly onWatched: (watched: boolean) => void
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  private leave: (() => void) | undefined
  private shown: StreamName

  constructor(streams: Streams, requested: StreamName, onWatched: (watched: boolean) => void) {
    this.streams = streams
    this.wanted = requested
    this.onWatched = onWatched
    this.shown = requested
  }

  group(): readonly AccessUnit[] {
    if (!this.leave) this.shown = this.hasPictures(this.wanted) ? this.wanted : this.other
    return this.streams[this.shown].group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    this.leave ??= this.watchStreams()
    return () => {
      this.watchers.delete(onUnit)
      if (this.watchers.size > 0 || !this.leave) return
      this.leave()
      this.leave = undefined
      this.onWatched(false)
    }
  }

  private get other(): StreamName {
    return this.wanted === 'main' ? 'low' : 'main'
  }

  private hasPictures(name: StreamName): boolean {
    return this.streams[name].group().length > 0
  }

  private watchStreams(): () => void {
    this.group()
    const leave = (['main', 'low'] as const).map((name) => this.streams[name].watch((unit) => this.picture(name, unit)))
    this.onWatched(true)
    return () => leave.forEach((unwatch) => unwatch())
  }

  private picture(from: StreamName, unit: AccessUnit): void {
    const better = from === this.wanted || !this.hasPictures(this.shown)
    if (unit.keyframe && from !== this.shown && better) this.shown = from
    if (from === this.shown) for (const watcher of this.watchers) watcher(unit)
  }
}
