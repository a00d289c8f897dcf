import { SyncedVideo, type StepVideo } from './synced-video.ts'
import { IN_STEP_MS, type Place, computeSpread, StepClock, type Stretch } from './sync-correction.ts'

/** What one camera shows. */
export interface StepCamera {
  readonly camera: string
  /** The recording to play, and whether it is under way at this moment. */
  readonly id: string
  readonly place: Place
  readonly isFailed: boolean
  /** When the picture on the screen was taken, ms UTC; null while there is none. */
  readonly picture: number | null
}

/** What all of them show; `at` in ms UTC of the recordings. */
export interface StepState {
  readonly at: number
  /** What was asked for; while it waits nothing moves. */
  readonly isPlaying: boolean
  readonly rate: number
  /** The camera whose recording is still loading. */
  readonly waitingFor: string | null
  /** How far apart the pictures are, ms; null where fewer than two play. */
  readonly spread: number | null
  /** The camera that is heard. */
  readonly heard: string | null
  readonly cameras: readonly StepCamera[]
}

interface StepSource {
  readonly camera: string
  /** In order of time, at least one. */
  readonly stretches: readonly Stretch[]
}

interface InStepOptions {
  readonly at: number
  /** Where it begins and stops. */
  readonly span: { readonly begin: number; readonly end: number }
  /** The page's clock, ms. */
  readonly now: () => number
}

/** A recording that stops for less does not stop the others. */
const GRACE_MS = 400
/** One that does not come is no longer waited for. */
const PATIENCE_MS = 10_000
/** The spread is told anew so often, ms: numbers that flicker are not read. */
const TOLD_MS = 400
/** Pictures a second of the cameras. */
const FPS = 15

/** Plays recordings of several cameras by one clock; React only draws it. */
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
  /** Since when somebody is not ready, and who was given up. */
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

  /** `video` plays the recording `id` of a camera until the returned function is called. */
  attach(camera: string, id: string, video: StepVideo): () => void {
    const detach = this.followers.get(camera)?.attach(id, video, this.clock)
    this.videos.set(camera, video)
    video.muted = this.heard !== camera
    return () => {
      detach?.()
      if (this.videos.get(camera) === video) this.videos.delete(camera)
    }
  }

  /** The recording `id` of a camera cannot be had: nobody waits for it. Or (false) it is tried again. */
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

  /** Moves all to the moment `at`, kept within the span. */
  seek(at: number): void {
    const { span, now } = this.options
    this.clock.run(false, now())
    this.clock.set(Math.min(Math.max(span.begin, at), span.end), now())
    // They go there while nothing runs, and are waited for.
    for (const follower of this.listActive()) follower.syncToClock(this.clock, now())
    this.beat()
  }

  skip(ms: number): void {
    this.seek(this.clock.at(this.options.now()) + ms)
  }

  /** Stops all and moves on by `frames` pictures, back when negative. */
  step(frames: number): void {
    this.wanted = false
    this.skip((frames * 1000) / FPS)
  }

  setRate(rate: number): void {
    this.clock.setRate(rate, this.options.now())
    this.beat()
  }

  /** Hears one camera; null: none. */
  hear(camera: string | null): void {
    this.heard = camera
    for (const [cameraId, video] of this.videos) video.muted = cameraId !== camera
    this.beat()
  }

  /** Only the cameras that are not named here are played and waited for. */
  leaveOut(cameras: ReadonlySet<string>): void {
    this.left = cameras
    this.beat()
  }

  private listActive(): SyncedVideo[] {
    return [...this.followers.values()].filter(({ camera }) => !this.left.has(camera))
  }

  /** Looks at all videos and corrects them; call it ten times a second or more. */
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

  /** The camera that all wait for. */
  private late(t: number): string | null {
    const unready = this.listActive().filter((follower) => !follower.isReady)
    for (const camera of this.givenUp)
      if (!unready.some((follower) => follower.camera === camera)) this.givenUp.delete(camera)
    const [late] = unready.filter(({ camera }) => !this.givenUp.has(camera))
    // Nobody waits while nothing is to play.
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

/** Whether a spread counts as in step. */
export const isInStep = (spread: number): boolean => spread <= IN_STEP_MS
