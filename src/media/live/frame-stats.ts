import type { PlaybackStats } from './tile-state-machine.ts'

/** Maximum plausible delay: a larger estimate comes from an unsynchronized clock. */
const MAX_PLAUSIBLE_DELAY_MS = 20_000

/** Statistics of a transport; a value is null if unknown. `lagMs`: delay from the arrival of a frame to its display. */
export interface TransportStats {
  roundTripMs: number | null
  lost: number | null
  lagMs: number | null
}

/** Watches the frames that a video element presents; the video must already play. */
export class FrameMonitor {
  /** Time of the last frame, as `performance.now()` in ms. */
  lastFrameAt = performance.now()
  readonly #video: HTMLVideoElement
  #callbackHandle = 0
  #presentedFrames = 0
  #framesAtLastReport = 0
  #lastReportAt = performance.now()
  #delayMs: number | null = null
  #isCaptureTimeKnown = false

  constructor(video: HTMLVideoElement) {
    this.#video = video
    this.#requestNextFrame()
  }

  stop(): void {
    this.#video.cancelVideoFrameCallback(this.#callbackHandle)
  }

  #requestNextFrame(): void {
    this.#callbackHandle = this.#video.requestVideoFrameCallback((now, frame) => this.#onFrame(now, frame))
  }

  #onFrame(now: number, frame: VideoFrameCallbackMetadata): void {
    this.lastFrameAt = now
    if (this.#presentedFrames === 0) this.#framesAtLastReport = frame.presentedFrames - 1
    this.#presentedFrames = frame.presentedFrames
    this.#measureDelay(frame)
    this.#requestNextFrame()
  }

  /**
   * Measures the delay until the frame is displayed: from its capture if the sender reports a plausible capture time,
   * else from the arrival of its packets. The delay is null if both times are unknown.
   */
  #measureDelay(frame: VideoFrameCallbackMetadata): void {
    const displayTime = frame.expectedDisplayTime
    const capture = frame.captureTime === undefined ? Number.NaN : displayTime - frame.captureTime
    this.#isCaptureTimeKnown = capture >= 0 && capture < MAX_PLAUSIBLE_DELAY_MS
    if (this.#isCaptureTimeKnown) this.#delayMs = capture
    else this.#delayMs = frame.receiveTime === undefined ? null : Math.max(0, displayTime - frame.receiveTime)
  }

  /**
   * Returns the current statistics, and the frame rate since the last call. The latency is based on `lagMs`, else on
   * the measured delay. If no capture time is known, the latency includes half the round-trip time.
   */
  computeStats(now: number, { roundTripMs, lost, lagMs }: TransportStats): Omit<PlaybackStats, 'rendition'> {
    const seconds = Math.max(0.001, (now - this.#lastReportAt) / 1000)
    const fps = Math.round((this.#presentedFrames - this.#framesAtLastReport) / seconds)
    this.#framesAtLastReport = this.#presentedFrames
    this.#lastReportAt = now
    const travelMs = this.#isCaptureTimeKnown ? 0 : (roundTripMs ?? 0) / 2
    const delayMs = lagMs ?? this.#delayMs
    const latencyMs = delayMs === null ? null : Math.round((delayMs + travelMs) / 10) * 10
    return { fps, latencyMs, lost, width: this.#video.videoWidth, height: this.#video.videoHeight }
  }
}
