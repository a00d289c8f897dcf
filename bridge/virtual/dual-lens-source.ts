import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { LensFrames, VideoSource } from '../sources/video-source.ts'
import { SharedSubscription } from '../sources/shared-subscription.ts'

/**
 * Interval between the frames of a GOP that is replayed after a swap, ms. It is short, so that the replay ends before
 * the next live frame.
 */
const REPLAY_STEP_MS = 1

/**
 * Video source of a dual-lens camera. After a swap, each view shows its new lens immediately from that lens's newest
 * GOP, without waiting for a keyframe. The inset has only the lowest rendition.
 */
export class DualLensSource implements VideoSource {
  readonly inset: LensFrames
  readonly #lenses: readonly [VideoSource, VideoSource]
  readonly #mainView: LensView
  readonly #insetView: LensView
  readonly #renditionViews = new Map<string, LensView>()
  #isSwapped = false

  constructor(first: VideoSource, second: VideoSource) {
    this.#lenses = [first, second]
    this.#mainView = new LensView([first, second])
    this.#insetView = new LensView([second, first])
    this.inset = this.#insetView
  }

  swap(isSwapped: boolean): void {
    this.#isSwapped = isSwapped
    for (const place of [this.#mainView, this.#insetView, ...this.#renditionViews.values()]) place.swap(isSwapped)
  }

  start(): void {
    for (const lens of this.#lenses) lens.start()
  }

  stop(): void {
    for (const lens of this.#lenses) lens.stop()
  }

  getGop(): readonly AccessUnit[] {
    return this.#mainView.getGop()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.#mainView.watch(onUnit)
  }

  /** Subscribes to the camera's only microphone, which a swap does not affect. */
  get watchAudio(): VideoSource['watchAudio'] {
    return this.#lenses[0].watchAudio
  }

  getRendition(name: string): LensFrames {
    const [first, second] = this.#lenses
    const cached = this.#renditionViews.get(name)
    if (cached) return cached
    if (first.getRendition(name) === first) return this
    const view = new LensView([first.getRendition(name), second.getRendition(name)])
    view.swap(this.#isSwapped)
    this.#renditionViews.set(name, view)
    return view
  }
}

/** View of a dual-lens camera. Delivers the frames of `lenses[0]`, or of `lenses[1]` while the lenses are swapped. */
class LensView implements LensFrames {
  readonly #lenses: readonly [LensFrames, LensFrames]
  #source: LensFrames
  readonly #watchers = new SharedSubscription(() => this.#source.watch((unit) => this.#passFrame(unit)))
  #waitsForKeyframe = false
  #lastPts = -Infinity

  constructor(lenses: readonly [LensFrames, LensFrames]) {
    this.#lenses = lenses
    this.#source = lenses[0]
  }

  getGop(): readonly AccessUnit[] {
    return this.#source.getGop()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.#watchers.add(onUnit)
  }

  swap(isSwapped: boolean): void {
    const source = this.#lenses[isSwapped ? 1 : 0]
    if (source === this.#source) return
    this.#source = source
    if (!this.#watchers.resubscribe()) return
    const gop = source.getGop()
    this.#waitsForKeyframe = gop.length === 0
    const newest = Math.max(gop.at(-1)?.pts ?? 0, this.#lastPts + gop.length * REPLAY_STEP_MS)
    gop.forEach((unit, i) => this.#passFrame({ ...unit, pts: newest - (gop.length - 1 - i) * REPLAY_STEP_MS }))
  }

  /**
   * Passes a frame to the viewers. If the new lens had no frames at a swap, skips its frames until the next keyframe.
   */
  #passFrame(unit: AccessUnit): void {
    if (this.#waitsForKeyframe && !unit.keyframe) return
    this.#waitsForKeyframe = false
    this.#lastPts = unit.pts
    this.#watchers.publish(unit)
  }
}
