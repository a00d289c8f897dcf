import { randomInt } from 'node:crypto'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { LensFrames } from '../sources/video-source.ts'
import { transcodeBFrames } from './b-frame-transcoding.ts'
import { PacketPacer, type OutgoingPacket } from './packet-pacer.ts'
import { packetize } from './h264-packetizer.ts'

/**
 * Minimum interval between bursts for keyframe requests, ms. A source cannot create a keyframe on request, so each
 * burst repeats the current GOP.
 */
const MIN_BURST_INTERVAL_MS = 1000
/**
 * Time to wait for a keyframe of a new source, ms. After this time, the switch starts with the new source's current
 * GOP.
 */
const KEYFRAME_TIMEOUT_MS = 1500
const TICKS_PER_MS = 90
/** Maximum distance between frames in a burst, RTP ticks. Short, so that the player catches up immediately. */
const MAX_BURST_STEP_TICKS = TICKS_PER_MS

/** RTP payloads of a frame, shared by all viewers of a camera. */
const payloadCache = new WeakMap<AccessUnit, Buffer[]>()

function getPayloads(unit: AccessUnit): Buffer[] {
  const cached = payloadCache.get(unit)
  if (cached) return cached
  const made = packetize(unit.nals)
  payloadCache.set(unit, made)
  return made
}

/**
 * Sends one video track to one viewer: first a burst from the newest keyframe, then live frames. Switches to another
 * source at a keyframe, or with a burst of its current GOP. Timestamps always increase.
 */
export class VideoSender {
  #source: LensFrames
  readonly #pacer: PacketPacer
  readonly #timestampOffset = randomInt(0x4000_0000)
  #unwatch: (() => void) | undefined
  /**
   * Pending switch to `source`. `leave`: ends the subscription to `source`. `since`: time of the request, ms of
   * `performance.now()`.
   */
  #pendingSwitch: { readonly source: LensFrames; readonly leave: () => void; readonly since: number } | undefined
  /** Time (`pts`) that maps to the RTP timestamp `timestampOffset`. */
  #originPts: number | undefined
  #lastTicks = -1
  #lastBurstAt = -Infinity
  #waitsForKeyframe = false

  constructor(source: LensFrames, sendFrame: (packet: OutgoingPacket) => void) {
    this.#source = transcodeBFrames(source)
    this.#pacer = new PacketPacer(sendFrame)
  }

  start(): void {
    this.#unwatch = this.#watchSource(this.#source)
    this.#sendBurst()
  }

  /**
   * Switches to another source at its next keyframe or, after `KEYFRAME_TIMEOUT_MS`, with its current GOP. Sends the
   * previous source until then.
   */
  switchTo(newSource: LensFrames): void {
    const source = transcodeBFrames(newSource)
    if (source === (this.#pendingSwitch?.source ?? this.#source)) return
    this.#pendingSwitch?.leave()
    this.#pendingSwitch = undefined
    if (source === this.#source) return
    if (this.#unwatch) this.#pendingSwitch = { source, leave: this.#watchSource(source), since: performance.now() }
    else this.#source = source
  }

  requestKeyframe(): void {
    if (this.#unwatch && performance.now() - this.#lastBurstAt >= MIN_BURST_INTERVAL_MS) this.#sendBurst()
  }

  end(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#pendingSwitch?.leave()
    this.#pendingSwitch = undefined
    this.#pacer.stop()
  }

  #watchSource(source: LensFrames): () => void {
    return source.watch((unit) =>
      source === this.#source ? this.#sendLiveFrame(unit) : this.#handlePendingSourceFrame(unit),
    )
  }

  #handlePendingSourceFrame(unit: AccessUnit): void {
    const pendingSwitch = this.#pendingSwitch
    const isRare = pendingSwitch !== undefined && performance.now() - pendingSwitch.since > KEYFRAME_TIMEOUT_MS
    if (!pendingSwitch || !(unit.keyframe || (isRare && pendingSwitch.source.getGop().length > 0))) return
    this.#unwatch?.()
    this.#unwatch = pendingSwitch.leave
    this.#source = pendingSwitch.source
    this.#pendingSwitch = undefined
    if (unit.keyframe) this.#sendLiveFrame(unit)
    else this.#sendBurst()
  }

  #sendLiveFrame(unit: AccessUnit): void {
    if (this.#waitsForKeyframe && !unit.keyframe) return
    this.#waitsForKeyframe = false
    this.#sendFrame(unit, Math.max(this.#lastTicks + 1, this.#toTicks(unit)))
  }

  #sendBurst(): void {
    const gop = this.#source.getGop()
    const newestFrame = gop.at(-1)
    this.#waitsForKeyframe = newestFrame === undefined
    if (newestFrame === undefined) return
    this.#lastBurstAt = performance.now()
    const targetTicks = this.#toTicks(newestFrame) + 1
    const room = (targetTicks - this.#lastTicks) / gop.length
    const stepTicks = Math.max(1, Math.min(MAX_BURST_STEP_TICKS, Math.floor(room)))
    gop.forEach((unit, i) => {
      this.#sendFrame(unit, Math.max(this.#lastTicks + 1, targetTicks - (gop.length - 1 - i) * stepTicks))
    })
  }

  /** Returns the time of a frame in 90 kHz ticks. Zero is 1 s before the first frame, which leaves room for a burst. */
  #toTicks(unit: AccessUnit): number {
    this.#originPts ??= unit.pts - 1000
    return Math.round((unit.pts - this.#originPts) * TICKS_PER_MS)
  }

  #sendFrame(unit: AccessUnit, ticks: number): void {
    this.#lastTicks = ticks
    const timestamp = (this.#timestampOffset + ticks) >>> 0
    const packets = getPayloads(unit)
    packets.forEach((payload, i) => this.#pacer.push({ payload, timestamp, marker: i === packets.length - 1 }))
  }
}
