import { getNalType, NAL_TYPE, type AccessUnit, type EncodedFrame } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'
import { Transcoder } from '../media/h264/transcoder.ts'
import type { LensFrames } from '../sources/video-source.ts'
import { SharedSubscription } from '../sources/shared-subscription.ts'

const MAX_PENDING_TIMESTAMPS = 40
/** Number of frames without a B-frame after which transcoding ends at the next keyframe. */
const MIN_ORDERED_FRAMES = 100

const framesBySource = new WeakMap<LensFrames, LensFrames>()

/**
 * Returns the frames of `source` in presentation order, as WebRTC requires (docs/decisions/0048). Transcodes only if
 * the source contains B-frames.
 */
export function transcodeBFrames(source: LensFrames): LensFrames {
  const cached = framesBySource.get(source)
  if (cached) return cached
  const frames = new PresentationOrderFrames(source)
  framesBySource.set(source, frames)
  return frames
}

/**
 * Passes frames through until the camera sends a B-frame. Then transcodes to a stream without B-frames while the source
 * is watched, once for all viewers.
 */
class PresentationOrderFrames implements LensFrames {
  readonly #source: LensFrames
  readonly #watchers = new SharedSubscription(() => this.#watchSource())
  #frameOrder = new PictureOrder()
  /** Number of frames since the last B-frame; undefined while the camera sends no B-frames. */
  #framesSinceBFrame: number | undefined
  #transcoder: Transcoder | undefined
  /** Timestamps (`pts`) of the frames inside the transcoder. Its next output frame gets the first timestamp. */
  #pendingTimestamps: number[] = []
  /** Transcoder output since its last keyframe; empty while the camera's own frames are passed through. */
  #transcodedFrames: AccessUnit[] = []
  /** True while the camera's own frames are passed through, starting at a keyframe. */
  #isPassingThrough = true
  #hasFailed = false
  #sps: Buffer | undefined

  constructor(source: LensFrames) {
    this.#source = source
  }

  getGop(): readonly AccessUnit[] {
    return this.#isPassingThrough ? this.#source.getGop() : this.#transcodedFrames
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.#watchers.add(onUnit)
  }

  #watchSource(): () => void {
    const unwatch = this.#source.watch((unit) => this.#handleFrame(unit))
    const gop = this.#source.getGop()
    this.#frameOrder = new PictureOrder()
    // Retry after an earlier failure: the cause, such as low memory, may be gone.
    this.#hasFailed = false
    for (const unit of gop) this.#checkOrder(unit)
    this.#isPassingThrough = !this.#isTranscoded
    if (this.#isTranscoded) for (const unit of gop) this.#transcode(unit)
    return () => {
      unwatch()
      this.#stopTranscoder()
    }
  }

  get #isTranscoded(): boolean {
    return this.#framesSinceBFrame !== undefined && !this.#hasFailed
  }

  #handleFrame(unit: AccessUnit): void {
    this.#checkOrder(unit)
    if (this.#isTranscoded) this.#transcode(unit)
    else if (unit.keyframe) this.#isPassingThrough = true
    if (this.#isPassingThrough) this.#watchers.publish(unit)
  }

  /** Updates the B-frame state, and may end transcoding. Must be called for each frame, in stream order. */
  #checkOrder(unit: AccessUnit): void {
    if (this.#frameOrder.isReordered(unit)) this.#framesSinceBFrame = 0
    else if (this.#framesSinceBFrame !== undefined) this.#framesSinceBFrame++
    if (!unit.keyframe || (this.#framesSinceBFrame ?? 0) < MIN_ORDERED_FRAMES) return
    this.#framesSinceBFrame = undefined
    this.#stopTranscoder()
  }

  /** Transcodes a frame. The transcoder starts only at a keyframe, also after an exit or a new SPS. */
  #transcode(unit: AccessUnit): void {
    if (unit.keyframe) this.#stopTranscoderIfSpsChanged(unit)
    if (!this.#transcoder && !unit.keyframe) return
    this.#transcoder ??= new Transcoder({
      onPicture: (picture) => this.#publishTranscodedFrame(picture),
      onEnd: () => this.#handleTranscoderEnd(),
    })
    this.#pendingTimestamps = [...this.#pendingTimestamps.slice(-MAX_PENDING_TIMESTAMPS), unit.pts]
    this.#transcoder.push(unit)
  }

  #stopTranscoderIfSpsChanged({ nals }: AccessUnit): void {
    const sps = nals.find((nal) => getNalType(nal) === NAL_TYPE.sps)
    if (sps && this.#sps?.equals(sps) === false) this.#stopTranscoder()
    this.#sps = sps ?? this.#sps
  }

  #publishTranscodedFrame(picture: EncodedFrame): void {
    if (this.#transcodedFrames.length === 0 && !picture.keyframe) return
    const unit = { ...picture, pts: this.#pendingTimestamps.shift() ?? this.#transcodedFrames.at(-1)?.pts ?? 0 }
    this.#transcodedFrames = picture.keyframe ? [unit] : [...this.#transcodedFrames, unit]
    this.#isPassingThrough = false
    this.#watchers.publish(unit)
  }

  #handleTranscoderEnd(): void {
    this.#hasFailed = this.#transcodedFrames.length === 0
    this.#stopTranscoder()
  }

  #stopTranscoder(): void {
    this.#transcoder?.stop()
    this.#transcoder = undefined
    this.#pendingTimestamps = []
    this.#transcodedFrames = []
  }
}
