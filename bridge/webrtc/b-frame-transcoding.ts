import { nalType, NAL, type AccessUnit, type Picture } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'
import { Transcoder } from '../media/h264/transcoder.ts'
import type { Pictures } from '../sources/video-source.ts'
import { SharedSubscription } from '../sources/shared-subscription.ts'

/** More pictures than this a decoder does not keep. */
const KEPT_MAX = 40
/** So many pictures without one that steps back, from a keyframe on, and the camera sends no B-frames any more. */
const IN_ORDER = 100

const made = new WeakMap<Pictures, Pictures>()

/** Pictures as WebRTC can show them (docs/decisions/0048): the very same as long as they come in the order in which they are shown. */
export function transcodeBFrames(source: Pictures): Pictures {
  const cached = made.get(source)
  if (cached) return cached
  const pictures = new InOrder(source)
  made.set(source, pictures)
  return pictures
}

/**
 * Passes pictures on as they are, until one comes that is shown before one that came earlier. From then on, while somebody
 * watches, they are decoded and encoded anew without B-frames; once for all who watch.
 */
class InOrder implements Pictures {
  private readonly source: Pictures
  private readonly watchers = new SharedSubscription(() => this.watchSource())
  private order = new PictureOrder()
  /** Pictures since one that stepped back; undefined: none has. */
  private since: number | undefined
  private transcoder: Transcoder | undefined
  /** When the pictures came that the transcoder has not given back; its first is the first that it gives. */
  private came: number[] = []
  /** What the transcoder has given since its last keyframe; empty: what is shown are the camera's own. */
  private units: AccessUnit[] = []
  /** The camera's own pictures are shown, from a keyframe on. */
  private passing = true
  /** It cannot be transcoded for those who watch now. */
  private failed = false
  private sps: Buffer | undefined

  constructor(source: Pictures) {
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
    // What ended it once, such as a full memory, may be over.
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

  /** Learns of each picture, in the order of the stream, whether it steps back. */
  private checkOrder(unit: AccessUnit): void {
    if (this.order.stepsBack(unit)) this.since = 0
    else if (this.since !== undefined) this.since++
    if (!unit.keyframe || (this.since ?? 0) < IN_ORDER) return
    this.since = undefined
    this.rest()
  }

  /** Begins with a keyframe; what has ended by itself, or has other parameters now, begins again with the next. */
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
