import { randomInt } from 'node:crypto'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { LensFrames } from '../sources/video-source.ts'
import { transcodeBFrames } from './b-frame-transcoding.ts'
import { Pacer, type Packet } from './packet-pacer.ts'
import { packetize } from './h264-packetizer.ts'

/**
 * Minimum interval between bursts on request, ms. A source cannot produce a keyframe on request, so its current GOP is
 * sent again.
 */
const BURST_MS = 1000
/** Time to wait for a keyframe of a new source, ms. After that, the switch starts with the source's current GOP. */
const KEYFRAME_MS = 1500
const TICKS_PER_MS = 90
/**
 * Maximum distance between frames in a burst, RTP ticks: the frames catch up instead of playing at their real speed.
 */
const BURST_STEP = TICKS_PER_MS

/** RTP payloads of a frame, shared by all viewers of a camera. */
const payloadsOf = new WeakMap<AccessUnit, Buffer[]>()

function payloads(unit: AccessUnit): Buffer[] {
  const cached = payloadsOf.get(unit)
  if (cached) return cached
  const made = packetize(unit.nals)
  payloadsOf.set(unit, made)
  return made
}

/**
 * Sends one video track to one viewer: a burst from the newest keyframe, then live frames. Switches to another source
 * only at a keyframe or with its GOP; timestamps always increase.
 */
export class VideoLane {
  private source: LensFrames
  private readonly pacer: Pacer
  private readonly base = randomInt(0x4000_0000)
  private unwatch: (() => void) | undefined
  /** Source of a pending switch, requested at `since`. */
  private next: { readonly source: LensFrames; readonly leave: () => void; readonly since: number } | undefined
  /** Time (`pts`) that maps to the RTP timestamp `base`. */
  private origin: number | undefined
  private lastTicks = -1
  private lastBurst = -Infinity
  private waiting = false

  constructor(source: LensFrames, send: (packet: Packet) => void) {
    this.source = transcodeBFrames(source)
    this.pacer = new Pacer(send)
  }

  start(): void {
    this.unwatch = this.watchSource(this.source)
    this.burst()
  }

  /** Switches to these frames at their next keyframe; shows the current source until then. */
  turnTo(pictures: LensFrames): void {
    const source = transcodeBFrames(pictures)
    if (source === (this.next?.source ?? this.source)) return
    this.next?.leave()
    this.next = undefined
    if (source === this.source) return
    if (this.unwatch) this.next = { source, leave: this.watchSource(source), since: performance.now() }
    else this.source = source
  }

  requestKeyframe(): void {
    if (this.unwatch && performance.now() - this.lastBurst >= BURST_MS) this.burst()
  }

  end(): void {
    this.unwatch?.()
    this.unwatch = undefined
    this.next?.leave()
    this.next = undefined
    this.pacer.stop()
  }

  private watchSource(source: LensFrames): () => void {
    return source.watch((unit) => (source === this.source ? this.live(unit) : this.arrived(unit)))
  }

  private arrived(unit: AccessUnit): void {
    const { next } = this
    const isRare = next !== undefined && performance.now() - next.since > KEYFRAME_MS
    if (!next || !(unit.keyframe || (isRare && next.source.group().length > 0))) return
    this.unwatch?.()
    this.unwatch = next.leave
    this.source = next.source
    this.next = undefined
    if (unit.keyframe) this.live(unit)
    else this.burst()
  }

  private live(unit: AccessUnit): void {
    if (this.waiting && !unit.keyframe) return
    this.waiting = false
    this.send(unit, Math.max(this.lastTicks + 1, this.toTicks(unit)))
  }

  private burst(): void {
    const group = this.source.group()
    const newest = group.at(-1)
    this.waiting = newest === undefined
    if (newest === undefined) return
    this.lastBurst = performance.now()
    const target = this.toTicks(newest) + 1
    const room = (target - this.lastTicks) / group.length
    const step = Math.max(1, Math.min(BURST_STEP, Math.floor(room)))
    group.forEach((unit, i) => {
      this.send(unit, Math.max(this.lastTicks + 1, target - (group.length - 1 - i) * step))
    })
  }

  /** Returns the time of a frame in 90 kHz ticks. Zero is 1 s before the first frame, which leaves room for a burst. */
  private toTicks(unit: AccessUnit): number {
    this.origin ??= unit.pts - 1000
    return Math.round((unit.pts - this.origin) * TICKS_PER_MS)
  }

  private send(unit: AccessUnit, ticks: number): void {
    this.lastTicks = ticks
    const timestamp = (this.base + ticks) >>> 0
    const packets = payloads(unit)
    packets.forEach((payload, i) => this.pacer.push({ payload, timestamp, marker: i === packets.length - 1 }))
  }
}
