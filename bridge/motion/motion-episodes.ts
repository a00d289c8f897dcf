/** Motion that resumes within this time belongs to the same event. */
export const MERGE_GAP_MS = 5000
/** Maximum length of an event; continued motion becomes the next event. */
export const EVENT_MAX_MS = 60_000

export interface EpisodeSample {
  /** Time of the frame, ms UTC. */
  readonly at: number
  readonly moving: boolean
  readonly area: number
}

/**
 * Thresholds for one frame rate. `consecutive`: number of moving frames in a row that start an episode. After `quietMs`
 * without motion, the episode continues only after `consecutive` moving frames in a row.
 */
export interface EpisodeThresholds {
  readonly consecutive: number
  readonly quietMs: number
}
const DEFAULT_THRESHOLDS: EpisodeThresholds = { consecutive: 3, quietMs: 1000 }
/** Thresholds if only keyframes are analyzed, one every one or two seconds. */
export const KEYFRAME_THRESHOLDS: EpisodeThresholds = { consecutive: 2, quietMs: 4500 }

/** Motion from its first to its last frame, ms UTC; `best`: time of the largest moving area. */
export interface Episode {
  readonly begin: number
  readonly end: number
  readonly best: number
  readonly area: number
}

export interface EpisodeEvents {
  onBegin(at: number): void
  onEnd(episode: Episode): void
}

/**
 * Groups samples into episodes. An episode starts after several moving samples in a row, and ends after `MERGE_GAP_MS`
 * without motion or after `EVENT_MAX_MS`.
 */
export class EpisodeDetector {
  readonly #events: EpisodeEvents
  #movingSamples: EpisodeSample[] = []
  #episode: Episode | undefined

  constructor(events: EpisodeEvents) {
    this.#events = events
  }

  push(sample: EpisodeSample, { consecutive, quietMs }: EpisodeThresholds = DEFAULT_THRESHOLDS): void {
    const open = this.#episode
    if (open && sample.at - open.end >= MERGE_GAP_MS && this.#movingSamples.length === 0) this.close()
    this.#movingSamples = sample.moving ? [...this.#movingSamples, sample].slice(-consecutive) : []
    if (!sample.moving) return
    if (this.#episode && (sample.at - this.#episode.end < quietMs || this.#movingSamples.length === consecutive)) {
      this.#extend(sample)
    } else if (!this.#episode && this.#movingSamples.length === consecutive) this.#startEpisode()
  }

  close(): void {
    const episode = this.#episode
    this.#episode = undefined
    this.#movingSamples = []
    if (episode) this.#events.onEnd(episode)
  }

  #startEpisode(): void {
    const first = this.#movingSamples[0]
    if (!first) return
    const best = this.#movingSamples.reduce((largest, sample) => (sample.area > largest.area ? sample : largest), first)
    const end = this.#movingSamples.at(-1)?.at ?? first.at
    this.#episode = { begin: first.at, end, best: best.at, area: best.area }
    this.#events.onBegin(first.at)
  }

  #extend(sample: EpisodeSample): void {
    const episode = this.#episode
    if (!episode) return
    const better = sample.area > episode.area ? { best: sample.at, area: sample.area } : {}
    this.#episode = { ...episode, end: sample.at, ...better }
    if (sample.at - episode.begin >= EVENT_MAX_MS) this.close()
  }
}
