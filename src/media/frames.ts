import type { Figures } from './tile-machine.ts'

/** Beyond this an estimate is a clock that was not synchronised, not a delay. */
const BELIEVABLE_MS = 20_000

/** Watches the frames that a video element really presents. */
export class FrameWatch {
  /** performance.now of the last frame, 0 before the first. */
  lastAt = 0
  private readonly video: HTMLVideoElement
  private readonly first: (width: number, height: number) => void
  private handle = 0
  private presented = 0
  private countedFrom = 0
  private countedAt = 0
  private delayMs: number | null = null
  private fromCapture = false

  constructor(video: HTMLVideoElement, first: (width: number, height: number) => void) {
    this.video = video
    this.first = first
    this.next()
  }

  stop(): void {
    this.video.cancelVideoFrameCallback(this.handle)
  }

  private next(): void {
    this.handle = this.video.requestVideoFrameCallback((now, frame) => this.seen(now, frame))
  }

  private seen(now: number, frame: VideoFrameCallbackMetadata): void {
    const isFirst = this.lastAt === 0
    this.lastAt = now
    this.presented = frame.presentedFrames
    this.measureDelay(frame)
    this.next()
    if (!isFirst) return
    this.countedFrom = frame.presentedFrames
    this.countedAt = now
    this.first(frame.width, frame.height)
  }

  /** From the camera's clock where the sender reports it, else from the arrival of the packets on. */
  private measureDelay(frame: VideoFrameCallbackMetadata): void {
    const shown = frame.expectedDisplayTime
    const capture = frame.captureTime === undefined ? Number.NaN : shown - frame.captureTime
    this.fromCapture = capture >= 0 && capture < BELIEVABLE_MS
    if (this.fromCapture) this.delayMs = capture
    else this.delayMs = frame.receiveTime === undefined ? null : Math.max(0, shown - frame.receiveTime)
  }

  /** Frames a second since the last call, and the delay, to which half the round trip is added if it starts at arrival. */
  figures(now: number, roundTripMs: number | null): Figures {
    const seconds = Math.max(0.001, (now - this.countedAt) / 1000)
    const fps = Math.round((this.presented - this.countedFrom) / seconds)
    this.countedFrom = this.presented
    this.countedAt = now
    const travel = this.fromCapture ? 0 : (roundTripMs ?? 0) / 2
    const latencyMs = this.delayMs === null ? null : Math.round((this.delayMs + travel) / 10) * 10
    return { fps, latencyMs, width: this.video.videoWidth, height: this.video.videoHeight }
  }
}
