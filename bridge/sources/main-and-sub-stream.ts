import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { LensFrames, VideoSource } from './video-source.ts'

export type StreamName = 'main' | 'low'
type Streams = Readonly<Record<StreamName, VideoSource>>

/** Delay before an unwatched sub-stream stops, ms, so that a page reload does not restart it. */
export const SUB_STREAM_STOP_DELAY_MS = 10_000

/**
 * Combines the two streams of one camera into one source. Viewers get the sub-stream by default. From `start` to
 * `stop`, the main stream runs all the time, for recordings; the sub-stream runs only while watched.
 */
export class MainAndSubStream implements VideoSource {
  readonly #streams: Streams
  readonly #getStreamName: (rendition: string) => StreamName
  readonly #views: Readonly<Record<StreamName, StreamView>>
  #isRunning = false
  #isSubStreamWatched = false
  #stopTimer: NodeJS.Timeout | undefined

  constructor(streams: Streams, getStreamName: (rendition: string) => StreamName) {
    this.#streams = streams
    this.#getStreamName = getStreamName
    this.#views = {
      main: new StreamView(streams, 'main', () => undefined),
      low: new StreamView(streams, 'low', (isWatched) => this.#setSubStreamWatched(isWatched)),
    }
  }

  start(): void {
    this.#isRunning = true
    this.#streams.main.start()
    if (this.#isSubStreamWatched) this.#streams.low.start()
  }

  stop(): void {
    this.#isRunning = false
    clearTimeout(this.#stopTimer)
    this.#streams.main.stop()
    this.#streams.low.stop()
  }

  getGop(): readonly AccessUnit[] {
    return this.#views.low.getGop()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.#views.low.watch(onUnit)
  }

  /** Both streams carry the same audio; the main stream provides it. */
  get watchAudio(): VideoSource['watchAudio'] {
    return this.#streams.main.watchAudio
  }

  getRendition(name: string): LensFrames {
    return this.#getStreamName(name) === 'main' ? this.#views.main : this
  }

  #setSubStreamWatched(isWatched: boolean): void {
    this.#isSubStreamWatched = isWatched
    clearTimeout(this.#stopTimer)
    if (isWatched && this.#isRunning) this.#streams.low.start()
    if (!isWatched) this.#stopTimer = setTimeout(() => this.#streams.low.stop(), SUB_STREAM_STOP_DELAY_MS).unref()
  }
}

/**
 * Delivers the frames of the requested stream; while that stream has no frames, those of the other stream. Switches
 * only at a keyframe, so that viewers can decode every frame. The timestamps of both streams come from one clock.
 */
class StreamView implements LensFrames {
  readonly #streams: Streams
  readonly #requested: StreamName
  readonly #onWatched: (isWatched: boolean) => void
  readonly #watchers = new Set<(unit: AccessUnit) => void>()
  #unwatchStreams: (() => void) | undefined
  #current: StreamName

  constructor(streams: Streams, requested: StreamName, onWatched: (isWatched: boolean) => void) {
    this.#streams = streams
    this.#requested = requested
    this.#onWatched = onWatched
    this.#current = requested
  }

  getGop(): readonly AccessUnit[] {
    if (!this.#unwatchStreams) this.#current = this.#hasFrames(this.#requested) ? this.#requested : this.#other
    return this.#streams[this.#current].getGop()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.#watchers.add(onUnit)
    this.#unwatchStreams ??= this.#watchStreams()
    return () => {
      this.#watchers.delete(onUnit)
      if (this.#watchers.size > 0 || !this.#unwatchStreams) return
      this.#unwatchStreams()
      this.#unwatchStreams = undefined
      this.#onWatched(false)
    }
  }

  get #other(): StreamName {
    return this.#requested === 'main' ? 'low' : 'main'
  }

  #hasFrames(name: StreamName): boolean {
    return this.#streams[name].getGop().length > 0
  }

  #watchStreams(): () => void {
    this.getGop()
    const unwatchStreams = (['main', 'low'] as const).map((name) =>
      this.#streams[name].watch((unit) => this.#handleFrame(name, unit)),
    )
    this.#onWatched(true)
    return () => unwatchStreams.forEach((unwatch) => unwatch())
  }

  #handleFrame(from: StreamName, unit: AccessUnit): void {
    const better = from === this.#requested || !this.#hasFrames(this.#current)
    if (unit.keyframe && from !== this.#current && better) this.#current = from
    if (from === this.#current) for (const watcher of this.#watchers) watcher(unit)
  }
}
