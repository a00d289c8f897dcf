import {
  correct,
  medianReading,
  type RecordingPhase,
  type StepClock,
  type SyncedRecording,
  stretchAt,
} from './sync-correction.ts'

/** Members of a video element that syncing uses; times in seconds. */
export type StepVideo = Pick<
  HTMLVideoElement,
  'currentTime' | 'duration' | 'ended' | 'error' | 'muted' | 'paused' | 'playbackRate' | 'readyState' | 'seeking'
> & {
  play(): Promise<void>
  pause(): void
  /** Not available in every browser. */
  requestVideoFrameCallback?: HTMLVideoElement['requestVideoFrameCallback']
  cancelVideoFrameCallback?: HTMLVideoElement['cancelVideoFrameCallback']
}

/** Number of readings from which the median is taken. */
const READINGS = 5
/** Maximum age of a reading, ms. */
const FRESH_MS = 700
/** Assumed duration of a seek until one has been measured, ms. */
const JUMP_TAKES_MS = 120
/** Tolerance for the position of a paused video, s: a hundredth of a frame. */
const EXACT_S = 0.0007
/** Offset added to a seek target, s: exactly at the edge of a frame, rounding would show the frame before it. */
const INTO_S = 0.001
/** HTMLMediaElement.HAVE_FUTURE_DATA */
const HAS_NEXT = 3

export class SyncedVideo {
  readonly camera: string
  readonly stretches: readonly SyncedRecording[]
  place: RecordingPhase = 'before'
  stretch: SyncedRecording | null = null
  /** Capture time of the frame on the screen, ms UTC; null without one. */
  picture: number | null = null
  private readonly lost = new Set<string>()
  private video: StepVideo | null = null
  private attached = ''
  private readings: { off: number; t: number }[] = []
  private target = NaN
  private jumpedAt: number | null = null
  private jumpTakes = JUMP_TAKES_MS

  constructor(camera: string, stretches: readonly SyncedRecording[]) {
    this.camera = camera
    this.stretches = stretches
  }

  /** Plays the clip `id` in `video` until the returned function is called. */
  attach(id: string, video: StepVideo, clock: StepClock): () => void {
    this.video = video
    this.attached = id
    this.resetReadings()
    let frame = 0
    const begin = this.stretches.find((stretch) => stretch.id === id)?.begin ?? 0
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
      frame = video.requestVideoFrameCallback?.(onFrame) ?? 0
      this.read(begin + mediaTime * 1000, expectedDisplayTime, clock)
    }
    frame = video.requestVideoFrameCallback?.(onFrame) ?? 0
    return () => {
      video.cancelVideoFrameCallback?.(frame)
      // The video of the next clip may be attached already.
      if (this.video !== video) return
      this.video = null
      this.resetReadings()
    }
  }

  /** Returns true if the video can show the clock's moment, or if there is nothing to show at that moment. */
  get isReady(): boolean {
    const { video } = this
    if (this.place !== 'during' || this.isFailed) return true
    if (video === null || this.attached !== this.stretch?.id) return false
    return video.ended || (video.readyState >= HAS_NEXT && !video.seeking)
  }

  get isFailed(): boolean {
    return this.lost.has(this.stretch?.id ?? '') || Boolean(this.video?.error)
  }

  /** Marks the clip `id` as unavailable. `isLost` false: the clip is retried. */
  lose(id: string, isLost: boolean): void {
    if (isLost) this.lost.add(id)
    else this.lost.delete(id)
  }

  /** Returns how far the video is ahead of the clock, ms; null if it does not play or there is no fresh reading. */
  offAt(clock: StepClock, t: number): number | null {
    if (this.place !== 'during' || !this.isReady || this.isFailed) return null
    if (!clock.isRunning) return this.picture === null ? null : this.picture - clock.at(t)
    const fresh = this.readings.filter((reading) => t - reading.t < FRESH_MS).map(({ off }) => off)
    return medianReading(fresh)
  }

  /** Moves the video to the clock's moment. `t`: the page's clock, ms. */
  syncToClock(clock: StepClock, t: number): void {
    const at = clock.at(t)
    const found = stretchAt(this.stretches, at)
    if (!found) return
    this.stretch = found.stretch
    this.place = found.place
    const { video } = this
    if (!video || this.attached !== found.stretch.id || video.error) return
    const length = Number.isFinite(video.duration) ? video.duration : 0
    if (length === 0) return
    const second = Math.min(Math.max(0, (at - found.stretch.begin) / 1000), Math.max(0, length - 0.05))
    if (this.place === 'during' && clock.isRunning) this.correctDrift(video, clock, t, second)
    else this.stand(video, second, t)
    if (!video.requestVideoFrameCallback) this.read(found.stretch.begin + video.currentTime * 1000, t, clock)
  }

  private stand(video: StepVideo, second: number, t: number): void {
    if (!video.paused) video.pause()
    video.playbackRate = 1
    if (!(Math.abs(this.target - second) <= EXACT_S) || (!video.seeking && Math.abs(video.currentTime - second) > 0.01))
      this.jump(video, second, t)
  }

  private correctDrift(video: StepVideo, clock: StepClock, t: number, second: number): void {
    if (video.ended) return
    if (video.paused) void video.play().catch(() => undefined)
    this.target = NaN
    if (video.seeking) return
    if (this.jumpedAt !== null) {
      this.jumpTakes = Math.min(JUMP_TAKES_MS * 4, (this.jumpTakes + (t - this.jumpedAt)) / 2)
      this.jumpedAt = null
    }
    const off = this.offAt(clock, t) ?? (video.currentTime - second) * 1000
    const step = correct(off, clock.rate)
    if (step.kind === 'jump') {
      this.jump(video, second + (this.jumpTakes / 1000) * clock.rate, t)
      this.target = NaN
    } else if (Math.abs(video.playbackRate - step.rate) > 0.004) video.playbackRate = step.rate
  }

  private jump(video: StepVideo, second: number, t: number): void {
    this.target = second
    this.jumpedAt = t
    this.readings = []
    video.currentTime = second + INTO_S
  }

  private read(picture: number, t: number, clock: StepClock): void {
    this.picture = picture
    // While paused, the offset is only the distance to the start of the frame and does not show a drift.
    if (!clock.isRunning) this.readings = []
    else this.readings = [...this.readings, { off: picture - clock.at(t), t }].slice(-READINGS)
  }

  private resetReadings(): void {
    this.readings = []
    this.target = NaN
    this.jumpedAt = null
    this.picture = null
  }
}
