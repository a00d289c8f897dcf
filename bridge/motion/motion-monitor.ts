import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { Backoff } from '../runtime/backoff.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { findSps } from '../media/h264/parameter-sets.ts'
import { readFrameSize } from '../media/h264/sps.ts'
import type { ProviderClock } from '../virtual/day-schedule.ts'
import type { VideoSource } from '../sources/video-source.ts'
import { GrayDecoder } from './gray-decoder.ts'
import { MotionDetector } from './motion-detector.ts'
import { KEYFRAME_THRESHOLDS, type EpisodeThresholds, type EpisodeSample } from './motion-episodes.ts'
import { SensitivityFilter, type MotionSample } from './sensitivity-filter.ts'

/**
 * Maximum frame size in pixels for decoding every frame. For larger frames, the monitor analyzes only keyframes if
 * their interval is at most `MAX_KEYFRAME_INTERVAL_MS`, and otherwise all frames.
 */
const MAX_FULL_RATE_PIXELS = 1280 * 720
/** Maximum keyframe interval for keyframe-only analysis, ms. */
const MAX_KEYFRAME_INTERVAL_MS = 2100

export interface MotionMonitorOptions {
  readonly source: VideoSource
  readonly clock: ProviderClock
  /**
   * Called for each analyzed frame. `sample`: result under the owner's settings; `motionSample`: motion sample from
   * which the result was computed.
   */
  readonly onSample: (
    sample: EpisodeSample,
    thresholds: EpisodeThresholds | undefined,
    motionSample: MotionSample,
  ) => void
  readonly ffmpeg?: string
}

/** Detects motion in a video source with a separate ffmpeg process, and restarts the process if it ends. */
export class MotionMonitor {
  readonly #options: MotionMonitorOptions
  readonly #detector = new MotionDetector()
  #filter = new SensitivityFilter(DEFAULT_CAMERA_SETTINGS)
  readonly #backOff = new Backoff(1000, 60_000)
  #decoder: GrayDecoder | undefined
  #unwatch: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #lastKeyframeAt: number | undefined
  #keyframesOnly = false

  constructor(options: MotionMonitorOptions) {
    this.#options = options
  }

  applySettings(settings: CameraSettings): void {
    this.#filter = new SensitivityFilter(settings)
  }

  start(): void {
    this.#unwatch ??= this.#options.source.watch((unit) => this.#handleFrame(unit))
  }

  stop(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
    this.resetDetection()
  }

  /** Stops the decoder after an interruption of the stream. Detection restarts at a later keyframe. */
  resetDetection(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#decoder?.stop()
    this.#decoder = undefined
    this.#lastKeyframeAt = undefined
  }

  #handleFrame(unit: AccessUnit): void {
    if (unit.keyframe) this.#handleKeyframe(unit)
    if (unit.keyframe || !this.#keyframesOnly) this.#decoder?.push(unit)
  }

  /**
   * Starts the decoder. For large frames, waits for a second keyframe, because the keyframe interval decides which
   * frames are analyzed.
   */
  #handleKeyframe(unit: AccessUnit): void {
    const intervalMs = this.#lastKeyframeAt === undefined ? undefined : unit.pts - this.#lastKeyframeAt
    this.#lastKeyframeAt = unit.pts
    if (this.#decoder || this.#timer) return
    const large = isLarge(unit)
    if (large && intervalMs === undefined) return
    this.#keyframesOnly = large && (intervalMs ?? Infinity) <= MAX_KEYFRAME_INTERVAL_MS
    this.#openDecoder()
  }

  #openDecoder(): void {
    const { clock, onSample, ffmpeg } = this.#options
    this.#detector.reset()
    const thresholds = this.#keyframesOnly ? KEYFRAME_THRESHOLDS : undefined
    this.#decoder = new GrayDecoder({
      pace: 'live',
      outputsEveryFrame: this.#keyframesOnly,
      ...(ffmpeg && { ffmpeg }),
      onFrame: (grayFrame) => {
        const at = Math.round(clock.now())
        this.#backOff.reset()
        const motionSample = this.#detector.push(grayFrame, at)
        onSample({ at, ...this.#filter.evaluate(motionSample) }, thresholds, motionSample)
      },
      onEnd: () => this.#handleDecoderEnd(),
    })
  }

  #handleDecoderEnd(): void {
    this.#decoder = undefined
    this.#timer = setTimeout(() => (this.#timer = undefined), this.#backOff.next())
  }
}

function isLarge(unit: AccessUnit): boolean {
  const sps = findSps(unit.nals)
  try {
    const { width, height } = readFrameSize(sps ?? Buffer.alloc(0))
    return width * height > MAX_FULL_RATE_PIXELS
  } catch {
    return false
  }
}
