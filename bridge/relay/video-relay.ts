import { extraTrackOffset, RELAY } from '../../contract/live/relay-protocol.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { isSet, type ParameterSets } from '../media/h264/parameter-sets.ts'
import type { Pictures } from '../sources/video-source.ts'
import type { RelayClock } from './relay-clock.ts'
import { fragment, createVideoInitialization, type InitializationSegment } from './fmp4-fragments.ts'
import { PresentationTimes } from './presentation-times.ts'

/** Where the messages go; `send` may be called before it is open. */
export interface RelaySocket {
  send(message: Buffer): void
  /** Bytes that wait to be sent. */
  readonly waiting: number
  /** Not while the provider closes it, which it may take its time for. */
  readonly isOpen: boolean
  close(): void
}
/**
 * Opens the relay socket of a rendition of a camera, or of what it has beside (`RELAY_BESIDE`); `ended` is called at most
 * once, and not after `close`.
 */
export type OpenRelay = (deviceId: string, rendition: string, ended: () => void) => RelaySocket

/** More than this on the way, in bytes, and pictures are left out until the next keyframe that finds less. */
export const WAITING_MAX = 1024 * 1024
/** How long a picture is shown for, ms, until the source has shown its own pace. */
const USUAL_MS = 66
const LONGEST_MS = 1000
/**
 * How much of a duration the next one keeps at least. Where two pictures are further apart than twice the duration of the first,
 * a player waits for the next keyframe (Media Source Extensions, coded frame processing): the longest of late ones counts.
 */
const FADING = 0.95

export interface RelayLine {
  /** Of the rendition, or what is beside. */
  readonly name: string
  readonly epoch: RelayClock
  open(ended: () => void): RelaySocket
  ended(): void
}

/** The pictures of one camera in one rendition on their way to the provider: everything since the last keyframe at once, then each as it comes. */
export class Relay {
  private source: Pictures
  private readonly line: RelayLine
  private readonly socket: RelaySocket
  private unwatch: (() => void) | undefined
  private parameters: readonly Buffer[] = []
  /** Parameter sets that its player has. */
  private sets: ParameterSets | undefined
  private sequence = 0
  private times = new PresentationTimes()
  private last = -Infinity
  private duration = USUAL_MS
  private skipping = true

  constructor(source: Pictures, line: RelayLine) {
    this.source = source
    this.line = line
    this.socket = line.open(() => this.end())
    this.start()
  }

  /** Whether what is sent still arrives. */
  get isOpen(): boolean {
    return this.socket.isOpen
  }

  /** From the start, for a provider that has lost what it had. */
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

  /** Goes on with other pictures, from the start. */
  turnTo(source: Pictures): void {
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

  /** Says what the pictures are from now on, if that is not known or has changed: another rendition, another size. */
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

/** Between two neighbours, ms; 0 where that is not known. */
function longestGap(group: readonly AccessUnit[]): number {
  const gaps = group.slice(1).map(({ pts }, i) => pts - (group[i]?.pts ?? pts))
  return Math.max(0, ...gaps.filter((gap) => gap < LONGEST_MS))
}

/** The message that says what comes. */
export function beginning({ codec, segment }: InitializationSegment, name: string): Buffer {
  const codecBytes = Buffer.from(codec, 'latin1')
  return Buffer.concat([Buffer.of(RELAY.init + extraTrackOffset(name), codecBytes.length), codecBytes, segment])
}
