import { extraTrackOffset, RELAY } from '../../contract/live/relay-protocol.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { isSet, type ParameterSets } from '../media/h264/parameter-sets.ts'
import type { LensFrames } from '../sources/video-source.ts'
import type { RelayClock } from './relay-clock.ts'
import { fragment, createVideoInitialization, type InitializationSegment } from './fmp4-fragments.ts'
import { PresentationTimes } from './presentation-times.ts'

/** Socket to the provider; `send` may be called before it is open. */
export interface RelaySocket {
  send(message: Buffer): void
  readonly waiting: number
  /** False as soon as the provider starts to close the socket, although closing may take a while. */
  readonly isOpen: boolean
  close(): void
}
/**
 * Opens the relay socket of a rendition or extra track (`RELAY_BESIDE`). Calls `ended` at most once, and not after
 * `close`.
 */
export type OpenRelay = (deviceId: string, rendition: string, ended: () => void) => RelaySocket

/**
 * Maximum number of bytes waiting in the socket. Above it, frames are dropped until a keyframe arrives while fewer
 * bytes wait.
 */
export const WAITING_MAX = 1024 * 1024
/** Duration of a frame until the source's interval is known, ms. */
const USUAL_MS = 66
const LONGEST_MS = 1000
/**
 * Minimum ratio of a frame's duration to the previous one. The duration follows the longest recent interval: after a
 * gap of more than twice the frame duration, a player waits for the next keyframe (Media Source Extensions, coded frame
 * processing).
 */
const FADING = 0.95

export interface RelayLine {
  readonly name: string
  readonly epoch: RelayClock
  open(ended: () => void): RelaySocket
  ended(): void
}

/** Relays one rendition of a camera to the provider: all frames since the last keyframe first, then each new frame. */
export class Relay {
  private source: LensFrames
  private readonly line: RelayLine
  private readonly socket: RelaySocket
  private unwatch: (() => void) | undefined
  private parameters: readonly Buffer[] = []
  private sets: ParameterSets | undefined
  private sequence = 0
  private times = new PresentationTimes()
  private last = -Infinity
  private duration = USUAL_MS
  private skipping = true

  constructor(source: LensFrames, line: RelayLine) {
    this.source = source
    this.line = line
    this.socket = line.open(() => this.end())
    this.start()
  }

  get isOpen(): boolean {
    return this.socket.isOpen
  }

  /** Restarts the stream, for a provider that has lost its state. */
  start(): void {
    this.unwatch?.()
    this.parameters = []
    this.sets = undefined
    this.skipping = true
    this.last = -Infinity
    const unwatch = this.source.watch((unit) => this.live(unit))
    this.unwatch = unwatch
    const group = this.source.group()
    this.times.learn(group)
    this.duration = longestGap(group) || USUAL_MS
    for (const unit of group) this.send(unit)
  }

  turnTo(source: LensFrames): void {
    if (source === this.source) return
    this.source = source
    this.times = new PresentationTimes()
    this.start()
  }

  end(): void {
    if (!this.unwatch) return
    this.unwatch()
    this.unwatch = undefined
    this.socket.close()
    this.line.ended()
  }

  private live(unit: AccessUnit): void {
    if (this.socket.waiting > WAITING_MAX) this.skipping = true
    this.send(unit)
  }

  private send(unit: AccessUnit): void {
    const { decoded, shown: presentationTime } = this.times.of(unit)
    if (unit.keyframe) this.introduce(unit)
    if (this.skipping && !(unit.keyframe && this.socket.waiting <= WAITING_MAX)) return
    if (!this.sets || unit.pts <= this.last) return
    this.skipping = false
    const since = unit.pts - this.last
    if (since < LONGEST_MS) this.duration = Math.max(since, this.duration * FADING)
    this.last = unit.pts
    const kind = unit.keyframe ? RELAY.key : RELAY.delta
    const { epoch } = this.line
    const times = { at: epoch.of(decoded), shown: epoch.of(presentationTime), duration: this.duration }
    const bytes = fragment(unit, this.sets, ++this.sequence, times)
    this.socket.send(Buffer.concat([Buffer.of(kind + extraTrackOffset(this.line.name)), bytes]))
  }

  /** Sends a new initialization segment if the parameter sets changed: another rendition or another size. */
  private introduce(unit: AccessUnit): void {
    const sets = unit.nals.filter(isSet)
    const isKnown = sets.length === this.parameters.length && sets.every((set, i) => this.parameters[i]?.equals(set))
    const made = isKnown ? null : createVideoInitialization(unit)
    if (!made) return
    this.parameters = sets
    this.sets = made.sets
    this.socket.send(beginning(made, this.line.name))
  }
}

/** Returns the longest interval between adjacent frames, ms; 0 if unknown. */
function longestGap(group: readonly AccessUnit[]): number {
  const gaps = group.slice(1).map(({ pts }, i) => pts - (group[i]?.pts ?? pts))
  return Math.max(0, ...gaps.filter((gap) => gap < LONGEST_MS))
}

export function beginning({ codec, segment }: InitializationSegment, name: string): Buffer {
  const codecBytes = Buffer.from(codec, 'latin1')
  return Buffer.concat([Buffer.of(RELAY.init + extraTrackOffset(name), codecBytes.length), codecBytes, segment])
}
