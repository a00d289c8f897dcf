import { randomInt } from 'node:crypto'
import type { AccessUnit } from '../h264/annex-b.ts'
import type { Source } from '../sources/source.ts'
import { Pacer } from './pacer.ts'
import { packetize } from './packetizer.ts'
import type { Candidate, Peer, PeerFactory } from './peer.ts'

/** A viewer without a connection after this time is given up. */
const CONNECT_MS = 10_000
/** A loop cannot obey a keyframe request: the group is sent again, at most this often. */
const BURST_MS = 1000
const TICKS_PER_MS = 90
/** Distance of the pictures of a burst: they catch up with the present instead of being played at full length. */
const BURST_STEP = TICKS_PER_MS

/** RTP payloads of a picture, made once for all viewers of a camera. */
const payloadsOf = new WeakMap<AccessUnit, Buffer[]>()

function payloads(unit: AccessUnit): Buffer[] {
  const known = payloadsOf.get(unit)
  if (known) return known
  const made = packetize(unit.nals)
  payloadsOf.set(unit, made)
  return made
}

/** One viewer of one camera, from its offer to its end. */
export class Viewer {
  private readonly source: Source
  private readonly peer: Peer
  private readonly pacer: Pacer
  private readonly onEnd: () => void
  private readonly base = randomInt(0x4000_0000)
  private readonly connectTimer: NodeJS.Timeout
  private unwatch: (() => void) | undefined
  /** `pts` that maps to `base`. */
  private origin: number | undefined
  private lastTicks = -1
  private lastBurst = -Infinity
  private waiting = false
  private over = false

  constructor(source: Source, createPeer: PeerFactory, onEnd: () => void) {
    this.source = source
    this.onEnd = onEnd
    this.peer = createPeer({
      connected: () => this.begin(),
      keyframeWanted: () => this.requestKeyframe(),
      ended: () => this.end(),
    })
    this.pacer = new Pacer(({ payload, timestamp, marker }) => this.peer.send(payload, timestamp, marker))
    this.connectTimer = setTimeout(() => this.end(), CONNECT_MS)
  }

  answer(offerSdp: string): Promise<string> {
    return this.peer.answer(offerSdp)
  }

  addCandidate(candidate: Candidate): Promise<void> {
    return this.peer.addCandidate(candidate)
  }

  requestKeyframe(): void {
    if (this.over || !this.unwatch || performance.now() - this.lastBurst < BURST_MS) return
    this.burst()
  }

  end(): void {
    if (this.over) return
    this.over = true
    clearTimeout(this.connectTimer)
    this.unwatch?.()
    this.pacer.stop()
    this.peer.close()
    this.onEnd()
  }

  private begin(): void {
    if (this.over || this.unwatch) return
    clearTimeout(this.connectTimer)
    this.unwatch = this.source.watch((unit) => this.live(unit))
    this.burst()
  }

  private live(unit: AccessUnit): void {
    if (this.waiting && !unit.keyframe) return
    this.waiting = false
    this.send(unit, Math.max(this.lastTicks + 1, this.ticksOf(unit)))
  }

  private burst(): void {
    const group = this.source.group()
    const newest = group.at(-1)
    this.waiting = newest === undefined
    if (newest === undefined) return
    this.lastBurst = performance.now()
    const target = this.ticksOf(newest) + 1
    const room = (target - this.lastTicks) / group.length
    const step = Math.max(1, Math.min(BURST_STEP, Math.floor(room)))
    group.forEach((unit, i) => {
      this.send(unit, Math.max(this.lastTicks + 1, target - (group.length - 1 - i) * step))
    })
  }

  /** 90 kHz ticks since the first picture, which has room for its burst before it. */
  private ticksOf(unit: AccessUnit): number {
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
