import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { BackOff } from '../runtime/backoff.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { findSps } from '../media/h264/parameter-sets.ts'
import { pictureSize } from '../media/h264/sps.ts'
import type { ProviderClock } from '../virtual/day-schedule.ts'
import type { Source } from '../sources/video-source.ts'
import { GrayDecoder } from './gray-decoder.ts'
import { MotionDetector } from './motion-detector.ts'
import { KEYFRAMES_ONLY, type Rate, type EpisodeSample } from './motion-episodes.ts'
import { MotionRule, type MotionSample } from './sensitivity-filter.ts'

/** Larger frames cost too much to decode continuously: only their keyframes are analyzed. */
const PIXELS_MAX = 1280 * 720
/**
 * Maximum keyframe interval for keyframe-only analysis, ms. If keyframes are further apart, all frames are analyzed.
 */
const KEYFRAMES_APART_MAX = 2100

export interface MotionWatchOptions {
  readonly source: Source
  readonly clock: ProviderClock
  /** Receives each frame's result under the owner's settings, and the sample behind it. */
  readonly onSample: (sample: EpisodeSample, rate: Rate | undefined, look: MotionSample) => void
  readonly ffmpeg?: string
}

/** Detects motion in a video source with a separate ffmpeg process, which is restarted whenever it ends. */
export class MotionWatch {
  private readonly options: MotionWatchOptions
  private readonly detector = new MotionDetector()
  private rule = new MotionRule(DEFAULT_CAMERA_SETTINGS)
  private readonly backOff = new BackOff(1000, 60_000)
  private decoder: GrayDecoder | undefined
  private unwatch: (() => void) | undefined
  private timer: NodeJS.Timeout | undefined
  private lastKeyframe: number | undefined
  private keyframesOnly = false

  constructor(options: MotionWatchOptions) {
    this.options = options
  }

  configure(settings: CameraSettings): void {
    this.rule = new MotionRule(settings)
  }

  start(): void {
    this.unwatch ??= this.options.source.watch((unit) => this.picture(unit))
  }

  stop(): void {
    this.unwatch?.()
    this.unwatch = undefined
    this.rest()
  }

  /** The camera is gone: restarts detection with its next frame. */
  rest(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.decoder?.stop()
    this.decoder = undefined
    this.lastKeyframe = undefined
  }

  private picture(unit: AccessUnit): void {
    if (unit.keyframe) this.keyframe(unit)
    if (unit.keyframe || !this.keyframesOnly) this.decoder?.push(unit)
  }

  /** The mode for a large frame is chosen at its second keyframe, when the keyframe interval is known. */
  private keyframe(unit: AccessUnit): void {
    const apart = this.lastKeyframe === undefined ? undefined : unit.pts - this.lastKeyframe
    this.lastKeyframe = unit.pts
    if (this.decoder || this.timer) return
    const large = isLarge(unit)
    if (large && apart === undefined) return
    this.keyframesOnly = large && (apart ?? Infinity) <= KEYFRAMES_APART_MAX
    this.open()
  }

  private open(): void {
    const { clock, onSample, ffmpeg } = this.options
    this.detector.reset()
    const rate = this.keyframesOnly ? KEYFRAMES_ONLY : undefined
    this.decoder = new GrayDecoder({
      pace: 'live',
      all: this.keyframesOnly,
      ...(ffmpeg && { ffmpeg }),
      onFrame: (grayFrame) => {
        const at = Math.round(clock.now())
        this.backOff.reset()
        const look = this.detector.push(grayFrame, at)
        onSample({ at, ...this.rule.judge(look) }, rate, look)
      },
      onEnd: () => this.ended(),
    })
  }

  private ended(): void {
    this.decoder = undefined
    this.timer = setTimeout(() => (this.timer = undefined), this.backOff.next())
  }
}

function isLarge(unit: AccessUnit): boolean {
  const sps = findSps(unit.nals)
  try {
    const { width, height } = pictureSize(sps ?? Buffer.alloc(0))
    return width * height > PIXELS_MAX
  } catch {
    return false
  }
}
