import { nalType, NAL, type AccessUnit, type Picture } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'
import { Transcoder } from '../media/h264/transcoder.ts'
import type { LensFrames } from '../sources/video-source.ts'
import { SharedSubscription } from '../sources/shared-subscription.ts'

/** Maximum number of timestamps stored for frames inside the transcoder. */
const KEPT_MAX = 40
/** Number of frames in presentation order after which, at the next keyframe, the camera counts as free of B-frames. */
const IN_ORDER = 100

const made = new WeakMap<LensFrames, LensFrames>()

/** Returns frames in presentation order, as WebRTC needs them (docs/decisions/0048). Frames in order pass unchanged. */
export function transcodeBFrames(source: LensFrames): LensFrames {
  const cached = made.get(source)
  if (cached) return cached
  const pictures = new InOrder(source)
  made.set(source, pictures)
  return pictures
}

/**
 * Passes frames through until a frame must be presented before an earlier one. From then on, transcodes to a stream
 * without B-frames while watched, once for all viewers.
 */
class InOrder implements LensFrames {
  private readonly source: LensFrames
  private readonly watchers = new SharedSubscription(() => this.watchSource())
  private order = new PictureOrder()
  /** Number of frames since the last B-frame; undefined while the camera counts as free of B-frames. */
  private since: number | undefined
  private transcoder: Transcoder | undefined
  /**
   * Timestamps (`pts`) of the frames inside the transcoder; the next frame that it outputs gets the first timestamp.
   */
  private came: number[] = []
  /** Transcoder output since its last keyframe; empty while the camera's own frames are shown. */
  private units: AccessUnit[] = []
  /** True while the camera's own frames are shown, starting at a keyframe. */
  private passing = true
  private failed = false
  private sps: Buffer | undefined

  constructor(source: LensFrames) {
    this.source = source
  }

  group(): readonly AccessUnit[] {
    return this.passing ? this.source.group() : this.units
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.watchers.add(onUnit)
  }

  private watchSource(): () => void {
    const leave = this.source.watch((unit) => this.live(unit))
    const group = this.source.group()
    this.order = new PictureOrder()
    // Try again after an earlier failure: its cause, such as low memory, may be gone.
    this.failed = false
    for (const unit of group) this.checkOrder(unit)
    this.passing = !this.isTranscoded
    if (this.isTranscoded) for (const unit of group) this.transcode(unit)
    return () => {
      leave()
      this.rest()
    }
  }

  private get isTranscoded(): boolean {
    return this.since !== undefined && !this.failed
  }

  private live(unit: AccessUnit): void {
    this.checkOrder(unit)
    if (this.isTranscoded) this.transcode(unit)
    else if (unit.keyframe) this.passing = true
    if (this.passing) this.watchers.give(unit)
  }

  /** Checks if a frame is presented out of stream order. Must be called for each frame, in stream order. */
  private checkOrder(unit: AccessUnit): void {
    if (this.order.stepsBack(unit)) this.since = 0
    else if (this.since !== undefined) this.since++
    if (!unit.keyframe || (this.since ?? 0) < IN_ORDER) return
    this.since = undefined
    this.rest()
  }

  /**
   * Transcodes a frame. The transcoder starts at a keyframe; after it exits or the parameter sets change, it restarts
   * at the next keyframe.
   */
  private transcode(unit: AccessUnit): void {
    if (unit.keyframe) this.compareParameters(unit)
    if (!this.transcoder && !unit.keyframe) return
    this.transcoder ??= new Transcoder({ onPicture: (picture) => this.show(picture), onEnd: () => this.ended() })
    this.came = [...this.came.slice(-KEPT_MAX), unit.pts]
    this.transcoder.push(unit)
  }

  private compareParameters({ nals }: AccessUnit): void {
    const sps = nals.find((nal) => nalType(nal) === NAL.sps)
    if (sps && this.sps?.equals(sps) === false) this.rest()
    this.sps = sps ?? this.sps
  }

  private show(picture: Picture): void {
    if (this.units.length === 0 && !picture.keyframe) return
    const unit = { ...picture, pts: this.came.shift() ?? this.units.at(-1)?.pts ?? 0 }
    this.units = picture.keyframe ? [unit] : [...this.units, unit]
    this.passing = false
    this.watchers.give(unit)
  }

  private ended(): void {
    this.failed = this.units.length === 0
    this.rest()
  }

  private rest(): void {
    this.transcoder?.stop()
    this.transcoder = undefined
    this.came = []
    this.units = []
  }
}
