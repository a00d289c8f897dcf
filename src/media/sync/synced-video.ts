import {
  computeSyncCorrection,
  computeMedian,
  type ClipPhase,
  type SyncClock,
  type SyncedClip,
  findClipAt,
} from './sync-correction.ts'

/** Members of a video element that syncing uses; times in seconds. */
export type SyncedVideoElement = Pick<
  HTMLVideoElement,
  'currentTime' | 'duration' | 'ended' | 'error' | 'muted' | 'paused' | 'playbackRate' | 'readyState' | 'seeking'
> & {
  play(): Promise<void>
  pause(): void
  /** Not available in all browsers. */
  requestVideoFrameCallback?: HTMLVideoElement['requestVideoFrameCallback']
  cancelVideoFrameCallback?: HTMLVideoElement['cancelVideoFrameCallback']
}

/** Number of latest readings from which the median offset is computed. */
const READING_COUNT = 5
const MAX_READING_AGE_MS = 700
/** Assumed duration of a seek until one has been measured, ms. */
const ASSUMED_SEEK_MS = 120
/** Tolerance for the seek target of a paused video, s: a hundredth of a frame. */
const POSITION_TOLERANCE_S = 0.0007
/** Offset added to a seek target, s. A seek to the exact edge of a frame may round down to the frame before. */
const SEEK_OFFSET_S = 0.001
/** HTMLMediaElement.HAVE_FUTURE_DATA */
const HAVE_FUTURE_DATA = 3

export class SyncedVideo {
  readonly camera: string
  readonly clips: readonly SyncedClip[]
  phase: ClipPhase = 'before'
  clip: SyncedClip | null = null
  /** Capture time of the frame on the screen, ms UTC; null if no frame is shown. */
  frameTime: number | null = null
  readonly #unavailableClips = new Set<string>()
  #video: SyncedVideoElement | null = null
  #attachedClip = ''
  #readings: { off: number; t: number }[] = []
  #seekTargetS = NaN
  #seekStartedAt: number | null = null
  #seekDurationMs = ASSUMED_SEEK_MS

  constructor(camera: string, clips: readonly SyncedClip[]) {
    this.camera = camera
    this.clips = clips
  }

  /** Uses `video` to show the clip `id` until the returned function is called. */
  attach(id: string, video: SyncedVideoElement, clock: SyncClock): () => void {
    this.#video = video
    this.#attachedClip = id
    this.#resetReadings()
    let callbackHandle = 0
    const begin = this.clips.find((clip) => clip.id === id)?.begin ?? 0
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
      callbackHandle = video.requestVideoFrameCallback?.(onFrame) ?? 0
      this.#addReading(begin + mediaTime * 1000, expectedDisplayTime, clock)
    }
    callbackHandle = video.requestVideoFrameCallback?.(onFrame) ?? 0
    return () => {
      video.cancelVideoFrameCallback?.(callbackHandle)
      // Does nothing if the video of the next clip is already attached.
      if (this.#video !== video) return
      this.#video = null
      this.#resetReadings()
    }
  }

  /** True if the video can show the clock's moment, or if there is no clip at that moment or the clip has failed. */
  get isReady(): boolean {
    const video = this.#video
    if (this.phase !== 'during' || this.isFailed) return true
    if (video === null || this.#attachedClip !== this.clip?.id) return false
    return video.ended || (video.readyState >= HAVE_FUTURE_DATA && !video.seeking)
  }

  get isFailed(): boolean {
    return this.#unavailableClips.has(this.clip?.id ?? '') || Boolean(this.#video?.error)
  }

  /** Marks the clip `id` as unavailable. `isUnavailable` false marks the clip as available again. */
  setClipUnavailable(id: string, isUnavailable: boolean): void {
    if (isUnavailable) this.#unavailableClips.add(id)
    else this.#unavailableClips.delete(id)
  }

  /**
   * Returns how far the video is ahead of the clock, ms; negative if the video is behind. Returns null outside a clip,
   * if the video is not ready or has failed, and if no current frame time is known.
   */
  getOffsetMs(clock: SyncClock, t: number): number | null {
    if (this.phase !== 'during' || !this.isReady || this.isFailed) return null
    if (!clock.isRunning) return this.frameTime === null ? null : this.frameTime - clock.getTimeAt(t)
    const recentOffsetsMs = this.#readings.filter((reading) => t - reading.t < MAX_READING_AGE_MS).map(({ off }) => off)
    return computeMedian(recentOffsetsMs)
  }

  /**
   * Selects the clip for the clock's moment. If the video of that clip is attached, adjusts its position and speed to
   * the clock. `t`: time of the page's clock, ms.
   */
  syncToClock(clock: SyncClock, t: number): void {
    const at = clock.getTimeAt(t)
    const current = findClipAt(this.clips, at)
    if (!current) return
    this.clip = current.clip
    this.phase = current.place
    const video = this.#video
    if (!video || this.#attachedClip !== current.clip.id || video.error) return
    const durationS = Number.isFinite(video.duration) ? video.duration : 0
    if (durationS === 0) return
    const targetS = Math.min(Math.max(0, (at - current.clip.begin) / 1000), Math.max(0, durationS - 0.05))
    if (this.phase === 'during' && clock.isRunning) this.#correctDrift(video, clock, t, targetS)
    else this.#holdAt(video, targetS, t)
    if (!video.requestVideoFrameCallback) this.#addReading(current.clip.begin + video.currentTime * 1000, t, clock)
  }

  #holdAt(video: SyncedVideoElement, targetS: number, t: number): void {
    if (!video.paused) video.pause()
    video.playbackRate = 1
    if (
      !(Math.abs(this.#seekTargetS - targetS) <= POSITION_TOLERANCE_S) ||
      (!video.seeking && Math.abs(video.currentTime - targetS) > 0.01)
    )
      this.#seekTo(video, targetS, t)
  }

  #correctDrift(video: SyncedVideoElement, clock: SyncClock, t: number, targetS: number): void {
    if (video.ended) return
    if (video.paused) void video.play().catch(() => undefined)
    this.#seekTargetS = NaN
    if (video.seeking) return
    if (this.#seekStartedAt !== null) {
      this.#seekDurationMs = Math.min(ASSUMED_SEEK_MS * 4, (this.#seekDurationMs + (t - this.#seekStartedAt)) / 2)
      this.#seekStartedAt = null
    }
    const offsetMs = this.getOffsetMs(clock, t) ?? (video.currentTime - targetS) * 1000
    const correction = computeSyncCorrection(offsetMs, clock.rate)
    if (correction.kind === 'jump') {
      this.#seekTo(video, targetS + (this.#seekDurationMs / 1000) * clock.rate, t)
      this.#seekTargetS = NaN
    } else if (Math.abs(video.playbackRate - correction.rate) > 0.004) video.playbackRate = correction.rate
  }

  #seekTo(video: SyncedVideoElement, targetS: number, t: number): void {
    this.#seekTargetS = targetS
    this.#seekStartedAt = t
    this.#readings = []
    video.currentTime = targetS + SEEK_OFFSET_S
  }

  #addReading(frameTime: number, t: number, clock: SyncClock): void {
    this.frameTime = frameTime
    // While the clock is stopped, the offset is only the distance to the start of the frame and shows no drift.
    if (!clock.isRunning) this.#readings = []
    else this.#readings = [...this.#readings, { off: frameTime - clock.getTimeAt(t), t }].slice(-READING_COUNT)
  }

  #resetReadings(): void {
    this.#readings = []
    this.#seekTargetS = NaN
    this.#seekStartedAt = null
    this.frameTime = null
  }
}
