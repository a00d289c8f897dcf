import type { Figures } from './tile-state-machine.ts'

/** Maximum believable delay: a larger estimate comes from an unsynchronized clock. */
const BELIEVABLE_MS = 20_000

/** Statistics of a transport; null if unknown. `lagMs`: from arrival to screen. */
export interface PathFigures {
  roundTripMs: number | null
  lost: number | null
  lagMs: number | null
}

/** Watches the frames that a video element presents; the video must already play. */
export class FrameWatch {
  /** performance.now of the last frame. */
  lastAt = performance.now()
  private readonly video: HTMLVideoElement
  private handle = 0
  private presented = 0
  private countedFrom = 0
  private countedAt = performance.now()
  private delayMs: number | null = null
  private fromCapture = false

  constructor(video: HTMLVideoElement) {
    this.video = video
    this.next()
  }

  stop(): void {
    this.video.cancelVideoFrameCallback(this.handle)
  }

  private next(): void {
    this.handle = this.video.requestVideoFrameCallback((now, frame) => this.seen(now, frame))
  }

  private seen(now: number, frame: VideoFrameCallbackMetadata): void {
    this.lastAt = now
    if (this.presented === 0) this.countedFrom = frame.presentedFrames - 1
    this.presented = frame.presentedFrames
    this.measureDelay(frame)
    this.next()
  }

  /** Measures the delay from the capture time if the sender reports it, else from the arrival of the packets. */
  private measureDelay(frame: VideoFrameCallbackMetadata): void {
    const displayTime = frame.expectedDisplayTime
    const capture = frame.captureTime === undefined ? Number.NaN : displayTime - frame.captureTime
    this.fromCapture = capture >= 0 && capture < BELIEVABLE_MS
    if (this.fromCapture) this.delayMs = capture
    else this.delayMs = frame.receiveTime === undefined ? null : Math.max(0, displayTime - frame.receiveTime)
  }

  /**
   * Returns the frame rate since the last call, and the delay. If the delay is measured from arrival, adds half the
   * round-trip time.
   */
  figures(now: number, { roundTripMs, lost, lagMs }: PathFigures): Omit<Figures, 'rendition'> {
    const seconds = Math.max(0.001, (now - this.countedAt) / 1000)
    const fps = Math.round((this.presented - this.countedFrom) / seconds)
    this.countedFrom = this.presented
    this.countedAt = now
    const travel = this.fromCapture ? 0 : (roundTripMs ?? 0) / 2
    const delay = lagMs ?? this.delayMs
    const latencyMs = delay === null ? null : Math.round((delay + travel) / 10) * 10
    return { fps, latencyMs, lost, width: this.video.videoWidth, height: this.video.videoHeight }
  }
}
