import { SyncedVideo, type SyncedVideoElement } from './synced-video.ts'
import { MAX_IN_SYNC_OFFSET_MS, type ClipPhase, computeSpread, SyncClock, type SyncedClip } from './sync-correction.ts'

export interface SyncedCameraState {
  readonly camera: string
  /** Id of the clip for the current moment. `place`: whether that moment is before, during or after the clip. */
  readonly id: string
  readonly place: ClipPhase
  readonly isFailed: boolean
  /** Capture time of the frame on the screen, ms UTC; null if no frame is shown. */
  readonly picture: number | null
}

/** State of the player and of all cameras that are not excluded. `at`: current moment of playback, ms UTC. */
export interface SyncedPlayerState {
  readonly at: number
  /** True while playback is requested, even while the player waits for a clip. */
  readonly isPlaying: boolean
  readonly rate: number
  readonly waitingFor: string | null
  /** Largest time difference between the frames of the videos, ms; null if fewer than two videos can be compared. */
  readonly spread: number | null
  readonly audibleCamera: string | null
  readonly cameras: readonly SyncedCameraState[]
}

interface SyncedCameraSource {
  readonly camera: string
  /** Clips of the camera, sorted by time; not empty. */
  readonly stretches: readonly SyncedClip[]
}

interface SyncedPlayerOptions {
  readonly at: number
  readonly span: { readonly begin: number; readonly end: number }
  /** Clock of the page, ms. */
  readonly now: () => number
}

/** A clip that stalls for less than this time does not pause the other clips. */
const STALL_GRACE_MS = 400
/** Time after which playback continues without a camera that is still not ready. */
const LOAD_TIMEOUT_MS = 10_000
/** Interval between updates of the displayed time difference, ms: a flickering number would be unreadable. */
const SPREAD_UPDATE_MS = 400
const CLIP_FPS = 15

/** Plays clips of several cameras on one clock, and publishes its state, so that React only has to render it. */
export class SyncedPlayer {
  state: SyncedPlayerState
  readonly #clock: SyncClock
  readonly #syncedVideos: ReadonlyMap<string, SyncedVideo>
  readonly #options: SyncedPlayerOptions
  readonly #videos = new Map<string, SyncedVideoElement>()
  readonly #listeners = new Set<() => void>()
  #excludedCameras: ReadonlySet<string> = new Set()
  #isPlayRequested = false
  #publishedSpread = { spread: null as number | null, t: 0 }
  #audibleCamera: string | null = null
  /**
   * Start of the current delay by a camera that is not ready, ms of the page's clock; null if there is none.
   * `#abandonedCameras`: cameras that the player no longer waits for.
   */
  #lateSince: number | null = null
  readonly #abandonedCameras = new Set<string>()

  constructor(sources: readonly SyncedCameraSource[], options: SyncedPlayerOptions) {
    this.#options = options
    this.#clock = new SyncClock(options.at)
    this.#syncedVideos = new Map(sources.map(({ camera, stretches }) => [camera, new SyncedVideo(camera, stretches)]))
    for (const follower of this.#syncedVideos.values()) follower.syncToClock(this.#clock, options.now())
    this.state = this.#readState(null)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): SyncedPlayerState => this.state

  /** Uses `video` to show the clip `id` of a camera until the returned function is called. */
  attach(camera: string, id: string, video: SyncedVideoElement): () => void {
    const detach = this.#syncedVideos.get(camera)?.attach(id, video, this.#clock)
    this.#videos.set(camera, video)
    video.muted = this.#audibleCamera !== camera
    return () => {
      detach?.()
      if (this.#videos.get(camera) === video) this.#videos.delete(camera)
    }
  }

  /**
   * Marks the clip `id` of a camera as unavailable, so that playback does not wait for it. `isUnavailable` false marks
   * the clip as available again.
   */
  setClipUnavailable(camera: string, id: string, isUnavailable: boolean): void {
    this.#syncedVideos.get(camera)?.setClipUnavailable(id, isUnavailable)
    this.update()
  }

  play(): void {
    this.#isPlayRequested = true
    if (this.#clock.getTimeAt(this.#options.now()) >= this.#options.span.end) this.seek(this.#options.span.begin)
    this.#abandonedCameras.clear()
    this.update()
  }

  pause(): void {
    this.#isPlayRequested = false
    this.update()
  }

  toggle(): void {
    if (this.#isPlayRequested) this.pause()
    else this.play()
  }

  /** Moves playback of all cameras that are not excluded to the moment `at`, ms UTC, clamped to the span. */
  seek(at: number): void {
    const { span, now } = this.#options
    this.#clock.setRunning(false, now())
    this.#clock.setTime(Math.min(Math.max(span.begin, at), span.end), now())
    // Starts the seeks while the clock is stopped; playback then waits for them.
    for (const follower of this.#listActive()) follower.syncToClock(this.#clock, now())
    this.update()
  }

  skip(ms: number): void {
    this.seek(this.#clock.getTimeAt(this.#options.now()) + ms)
  }

  /** Pauses and moves by `frames` frames, backward if negative. */
  step(frames: number): void {
    this.#isPlayRequested = false
    this.skip((frames * 1000) / CLIP_FPS)
  }

  setRate(rate: number): void {
    this.#clock.setRate(rate, this.#options.now())
    this.update()
  }

  /** Unmutes one camera and mutes all others; null mutes all cameras. */
  setAudibleCamera(camera: string | null): void {
    this.#audibleCamera = camera
    for (const [cameraId, video] of this.#videos) video.muted = cameraId !== camera
    this.update()
  }

  /** Excludes these cameras from playback, and includes all others again. */
  excludeCameras(cameras: ReadonlySet<string>): void {
    this.#excludedCameras = cameras
    this.update()
  }

  #listActive(): SyncedVideo[] {
    return [...this.#syncedVideos.values()].filter(({ camera }) => !this.#excludedCameras.has(camera))
  }

  /** Checks and corrects all videos; call it at least ten times a second. */
  readonly update = (): void => {
    const { now, span } = this.#options
    const t = now()
    if (this.#clock.getTimeAt(t) >= span.end) {
      this.#isPlayRequested = false
      this.#clock.setRunning(false, t)
      this.#clock.setTime(span.end, t)
    }
    const lateCamera = this.#findLateCamera(t)
    this.#clock.setRunning(this.#isPlayRequested && lateCamera === null, t)
    for (const follower of this.#listActive()) follower.syncToClock(this.#clock, t)
    const isLong = this.#isPlayRequested && this.#lateSince !== null && t - this.#lateSince >= STALL_GRACE_MS
    const next = this.#readState(isLong ? lateCamera : null)
    if (isSameState(this.state, next)) return
    this.state = next
    for (const listener of this.#listeners) listener()
  }

  #findLateCamera(t: number): string | null {
    const unready = this.#listActive().filter((follower) => !follower.isReady)
    for (const camera of this.#abandonedCameras)
      if (!unready.some((follower) => follower.camera === camera)) this.#abandonedCameras.delete(camera)
    const [lateCamera] = unready.filter(({ camera }) => !this.#abandonedCameras.has(camera))
    if (!lateCamera || !this.#isPlayRequested) {
      this.#lateSince = null
      return lateCamera?.camera ?? null
    }
    this.#lateSince ??= t
    if (t - this.#lateSince > LOAD_TIMEOUT_MS) {
      this.#abandonedCameras.add(lateCamera.camera)
      this.#lateSince = null
      return null
    }
    return this.#clock.isRunning && t - this.#lateSince < STALL_GRACE_MS ? null : lateCamera.camera
  }

  #readState(waitingFor: string | null): SyncedPlayerState {
    const t = this.#options.now()
    const all = this.#listActive()
    const offs = all.map((follower) => follower.getOffsetMs(this.#clock, t)).filter((off) => off !== null)
    const spread = computeSpread(offs)
    if (
      (spread === null) !== (this.#publishedSpread.spread === null) ||
      t - this.#publishedSpread.t >= SPREAD_UPDATE_MS
    )
      this.#publishedSpread = { spread, t }
    return {
      at: this.#clock.getTimeAt(t),
      isPlaying: this.#isPlayRequested,
      rate: this.#clock.rate,
      waitingFor,
      spread: this.#publishedSpread.spread,
      audibleCamera: this.#audibleCamera,
      cameras: all.flatMap(({ camera, clip, phase, isFailed, frameTime }) =>
        clip ? [{ camera, id: clip.id, place: phase, isFailed, picture: frameTime }] : [],
      ),
    }
  }
}

function isSameState(state: SyncedPlayerState, other: SyncedPlayerState): boolean {
  return JSON.stringify(state) === JSON.stringify(other)
}

export const isInSync = (spread: number): boolean => spread <= MAX_IN_SYNC_OFFSET_MS
