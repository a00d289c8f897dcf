import { SyncedVideo, type StepVideo } from './synced-video.ts'
import { IN_STEP_MS, type RecordingPhase, computeSpread, StepClock, type SyncedRecording } from './sync-correction.ts'

export interface StepCamera {
  readonly camera: string
  /** Id of the clip to play, and the clip's position relative to the current moment. */
  readonly id: string
  readonly place: RecordingPhase
  readonly isFailed: boolean
  /** Capture time of the frame on the screen, ms UTC; null without one. */
  readonly picture: number | null
}

/** State of all cameras; `at` in ms UTC of the clips. */
export interface StepState {
  readonly at: number
  /** True if playback was requested. Nothing moves while the player waits for a clip. */
  readonly isPlaying: boolean
  readonly rate: number
  readonly waitingFor: string | null
  /** Largest time difference between the videos, ms; null if fewer than two play. */
  readonly spread: number | null
  /** Camera whose audio plays. */
  readonly heard: string | null
  readonly cameras: readonly StepCamera[]
}

interface StepSource {
  readonly camera: string
  /** Clips of the camera, sorted by time; not empty. */
  readonly stretches: readonly SyncedRecording[]
}

interface InStepOptions {
  readonly at: number
  readonly span: { readonly begin: number; readonly end: number }
  /** Clock of the page, ms. */
  readonly now: () => number
}

/** A clip that stalls for less than this time does not pause the other clips. */
const GRACE_MS = 400
/** Time after which playback continues without a clip that does not load. */
const PATIENCE_MS = 10_000
/** Interval between updates of the displayed time difference, ms: a flickering number would be unreadable. */
const TOLD_MS = 400
const FPS = 15

/** Plays clips of several cameras on one clock, and publishes its state, so that React only has to render it. */
export class SyncedPlayer {
  state: StepState
  private readonly clock: StepClock
  private readonly followers: ReadonlyMap<string, SyncedVideo>
  private readonly options: InStepOptions
  private readonly videos = new Map<string, StepVideo>()
  private readonly listeners = new Set<() => void>()
  private left: ReadonlySet<string> = new Set()
  private wanted = false
  private told = { spread: null as number | null, t: 0 }
  private heard: string | null = null
  /** Time when the current wait started, and the cameras that the player no longer waits for. */
  private lateSince: number | null = null
  private readonly givenUp = new Set<string>()

  constructor(sources: readonly StepSource[], options: InStepOptions) {
    this.options = options
    this.clock = new StepClock(options.at)
    this.followers = new Map(sources.map(({ camera, stretches }) => [camera, new SyncedVideo(camera, stretches)]))
    for (const follower of this.followers.values()) follower.syncToClock(this.clock, options.now())
    this.state = this.readState(null)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly snapshot = (): StepState => this.state

  /** Plays the clip `id` of a camera in `video` until the returned function is called. */
  attach(camera: string, id: string, video: StepVideo): () => void {
    const detach = this.followers.get(camera)?.attach(id, video, this.clock)
    this.videos.set(camera, video)
    video.muted = this.heard !== camera
    return () => {
      detach?.()
      if (this.videos.get(camera) === video) this.videos.delete(camera)
    }
  }

  /**
   * Marks the clip `id` of a camera as unavailable, so that playback does not wait for it. `isLost` false: the clip is
   * retried.
   */
  lose(camera: string, id: string, isLost: boolean): void {
    this.followers.get(camera)?.lose(id, isLost)
    this.beat()
  }

  play(): void {
    this.wanted = true
    if (this.clock.at(this.options.now()) >= this.options.span.end) this.seek(this.options.span.begin)
    this.givenUp.clear()
    this.beat()
  }

  pause(): void {
    this.wanted = false
    this.beat()
  }

  toggle(): void {
    if (this.wanted) this.pause()
    else this.play()
  }

  /** Moves all videos to the moment `at`, clamped to the span. */
  seek(at: number): void {
    const { span, now } = this.options
    this.clock.run(false, now())
    this.clock.set(Math.min(Math.max(span.begin, at), span.end), now())
    // The videos seek while the clock is stopped, and playback waits for them.
    for (const follower of this.listActive()) follower.syncToClock(this.clock, now())
    this.beat()
  }

  skip(ms: number): void {
    this.seek(this.clock.at(this.options.now()) + ms)
  }

  /** Pauses and moves by `frames` frames, backward if negative. */
  step(frames: number): void {
    this.wanted = false
    this.skip((frames * 1000) / FPS)
  }

  setRate(rate: number): void {
    this.clock.setRate(rate, this.options.now())
    this.beat()
  }

  /** Unmutes one camera; null mutes all. */
  hear(camera: string | null): void {
    this.heard = camera
    for (const [cameraId, video] of this.videos) video.muted = cameraId !== camera
    this.beat()
  }

  /** Excludes these cameras from playback. */
  leaveOut(cameras: ReadonlySet<string>): void {
    this.left = cameras
    this.beat()
  }

  private listActive(): SyncedVideo[] {
    return [...this.followers.values()].filter(({ camera }) => !this.left.has(camera))
  }

  /** Checks and corrects all videos; call it at least ten times a second. */
  readonly beat = (): void => {
    const { now, span } = this.options
    const t = now()
    if (this.clock.at(t) >= span.end) {
      this.wanted = false
      this.clock.run(false, t)
      this.clock.set(span.end, t)
    }
    const late = this.late(t)
    this.clock.run(this.wanted && late === null, t)
    for (const follower of this.listActive()) follower.syncToClock(this.clock, t)
    const isLong = this.wanted && this.lateSince !== null && t - this.lateSince >= GRACE_MS
    const next = this.readState(isLong ? late : null)
    if (isSame(this.state, next)) return
    this.state = next
    for (const listener of this.listeners) listener()
  }

  /** Returns the camera that playback has to wait for; null for none. */
  private late(t: number): string | null {
    const unready = this.listActive().filter((follower) => !follower.isReady)
    for (const camera of this.givenUp)
      if (!unready.some((follower) => follower.camera === camera)) this.givenUp.delete(camera)
    const [late] = unready.filter(({ camera }) => !this.givenUp.has(camera))
    if (!late || !this.wanted) {
      this.lateSince = null
      return late?.camera ?? null
    }
    this.lateSince ??= t
    if (t - this.lateSince > PATIENCE_MS) {
      this.givenUp.add(late.camera)
      this.lateSince = null
      return null
    }
    return this.clock.isRunning && t - this.lateSince < GRACE_MS ? null : late.camera
  }

  private readState(waitingFor: string | null): StepState {
    const t = this.options.now()
    const all = this.listActive()
    const offs = all.map((follower) => follower.offAt(this.clock, t)).filter((off) => off !== null)
    const spread = computeSpread(offs)
    if ((spread === null) !== (this.told.spread === null) || t - this.told.t >= TOLD_MS) this.told = { spread, t }
    return {
      at: this.clock.at(t),
      isPlaying: this.wanted,
      rate: this.clock.rate,
      waitingFor,
      spread: this.told.spread,
      heard: this.heard,
      cameras: all.flatMap(({ camera, stretch, place, isFailed, picture }) =>
        stretch ? [{ camera, id: stretch.id, place, isFailed, picture }] : [],
      ),
    }
  }
}

function isSame(state: StepState, other: StepState): boolean {
  return JSON.stringify(state) === JSON.stringify(other)
}

export const isInStep = (spread: number): boolean => spread <= IN_STEP_MS
