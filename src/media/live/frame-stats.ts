import type { Figures } from './tile-state-machine.ts'

/** Beyond this an estimate is a clock that was not synchronised, not a delay. */
const BELIEVABLE_MS = 20_000

/** What the way of the pictures knows of itself; null where it does not. `lagMs`: from arrival to screen. */
export interface PathFigures {
  roundTripMs: number | null
  lost: number | null
  lagMs: number | null
}

/** Watches the frames that a video element really presents, which it has begun to. */
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

  /** From the camera's clock where the sender reports it, else from the arrival of the packets on. */
  private measureDelay(frame: VideoFrameCallbackMetadata): void {
    const displayTime = frame.expectedDisplayTime
    const capture = frame.captureTime === undefined ? Number.NaN : displayTime - frame.captureTime
    this.fromCapture = capture >= 0 && capture < BELIEVABLE_MS
    if (this.fromCapture) this.delayMs = capture
    else this.delayMs = frame.receiveTime === undefined ? null : Math.max(0, displayTime - frame.receiveTime)
  }

  /** Frames a second since the last call, and the delay, to which half the round trip is added if it starts at arrival. */
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
