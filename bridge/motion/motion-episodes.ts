/** Motion that resumes within this time belongs to the same event. */
export const MERGE_MS = 5000
/** Maximum length of an event; continued motion becomes the next event. */
export const EVENT_MAX_MS = 60_000

export interface EpisodeSample {
  /** ms UTC. */
  readonly at: number
  readonly moving: boolean
  readonly area: number
}

/** Number of consecutive frames with motion that start an episode, and time without motion that ends it, ms. */
export interface Rate {
  readonly consecutive: number
  readonly quietMs: number
}
const FIVE_A_SECOND: Rate = { consecutive: 3, quietMs: 1000 }
/** Rate for cameras monitored by keyframes only, one or two seconds apart. */
export const KEYFRAMES_ONLY: Rate = { consecutive: 2, quietMs: 4500 }

/** Motion from its first to its last frame, ms UTC; `best`: time of the largest moving area. */
export interface Episode {
  readonly begin: number
  readonly end: number
  readonly best: number
  readonly area: number
}

export interface EpisodeEvents {
  began(at: number): void
  ended(episode: Episode): void
}

/**
 * Groups samples into events. An event starts after several moving samples in a row and ends after 1 s without motion;
 * motion less than 5 s apart is merged.
 */
export class Episodes {
  private readonly events: EpisodeEvents
  private run: EpisodeSample[] = []
  private episode: Episode | undefined

  constructor(events: EpisodeEvents) {
    this.events = events
  }

  push(sample: EpisodeSample, { consecutive, quietMs }: Rate = FIVE_A_SECOND): void {
    const open = this.episode
    if (open && sample.at - open.end >= MERGE_MS && this.run.length === 0) this.close()
    this.run = sample.moving ? [...this.run, sample].slice(-consecutive) : []
    if (!sample.moving) return
    // Within the quiet second, a single frame is enough to continue the episode.
    if (this.episode && (sample.at - this.episode.end < quietMs || this.run.length === consecutive)) {
      this.extend(sample)
    } else if (!this.episode && this.run.length === consecutive) this.startEpisode()
  }

  close(): void {
    const episode = this.episode
    this.episode = undefined
    this.run = []
    if (episode) this.events.ended(episode)
  }

  private startEpisode(): void {
    const first = this.run[0]
    if (!first) return
    const best = this.run.reduce((largest, sample) => (sample.area > largest.area ? sample : largest), first)
    const end = this.run.at(-1)?.at ?? first.at
    this.episode = { begin: first.at, end, best: best.at, area: best.area }
    this.events.began(first.at)
  }

  private extend(sample: EpisodeSample): void {
    const open = this.episode
    if (!open) return
    const better = sample.area > open.area ? { best: sample.at, area: sample.area } : {}
    this.episode = { ...open, end: sample.at, ...better }
    if (sample.at - open.begin >= EVENT_MAX_MS) this.close()
  }
}
