import { getExtraTrackOffset, RELAY_MESSAGE_TYPES } from '../../contract/live/relay-protocol.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { isParameterSet, type ParameterSets } from '../media/h264/parameter-sets.ts'
import type { LensFrames } from '../sources/video-source.ts'
import type { RelayClock } from './relay-clock.ts'
import { createVideoFragment, createVideoInitialization, type InitializationSegment } from './fmp4-fragments.ts'
import { PresentationTimes } from './presentation-times.ts'

/** Socket to the provider. `send` may be called before the socket is open. */
export interface RelaySocket {
  send(message: Buffer): void
  readonly waiting: number
  /**
   * True while the socket connects or is open. False as soon as either side starts to close the socket, although
   * closing may take a while.
   */
  readonly isOpen: boolean
  close(): void
}
/**
 * Opens the relay socket of a rendition or extra track (`EXTRA_TRACK_OFFSETS`). Calls `onEnd` at most once, and not
 * after `close`.
 */
export type OpenRelay = (deviceId: string, rendition: string, onEnd: () => void) => RelaySocket

/**
 * Limit for the bytes that wait in a relay's socket. Above this limit, a relay drops new data. A video relay resumes at
 * the first keyframe that arrives when the limit is no longer exceeded.
 */
export const MAX_WAITING_BYTES = 1024 * 1024
/** Duration of a frame until the source's interval is known, ms. */
const DEFAULT_DURATION_MS = 66
const MAX_DURATION_MS = 1000
/**
 * Minimum ratio of a frame's duration to the previous duration. After a sudden drop, the next gap could be more than
 * twice the duration, and a player would then wait for a keyframe (Media Source Extensions).
 */
const MIN_DURATION_RATIO = 0.95

export interface RelayContext {
  readonly name: string
  readonly epoch: RelayClock
  open(ended: () => void): RelaySocket
  ended(): void
}

/**
 * Relays one rendition or the inset of a camera to the provider: first all frames since the last keyframe, then each
 * new frame.
 */
export class VideoRelay {
  #source: LensFrames
  readonly #context: RelayContext
  readonly #socket: RelaySocket
  #unwatch: (() => void) | undefined
  #parameterSets: readonly Buffer[] = []
  #initializationSets: ParameterSets | undefined
  #sequence = 0
  #presentationTimes = new PresentationTimes()
  #lastPts = -Infinity
  #durationMs = DEFAULT_DURATION_MS
  #isSkipping = true

  constructor(source: LensFrames, context: RelayContext) {
    this.#source = source
    this.#context = context
    this.#socket = context.open(() => this.end())
    this.start()
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  /** Starts or restarts the stream. The provider requests a restart after it has lost the stream's state. */
  start(): void {
    this.#unwatch?.()
    this.#parameterSets = []
    this.#initializationSets = undefined
    this.#isSkipping = true
    this.#lastPts = -Infinity
    const unwatch = this.#source.watch((unit) => this.#handleFrame(unit))
    this.#unwatch = unwatch
    const gop = this.#source.getGop()
    this.#presentationTimes.learnFrom(gop)
    this.#durationMs = getLongestInterval(gop) || DEFAULT_DURATION_MS
    for (const unit of gop) this.#send(unit)
  }

  switchTo(source: LensFrames): void {
    if (source === this.#source) return
    this.#source = source
    this.#presentationTimes = new PresentationTimes()
    this.start()
  }

  end(): void {
    if (!this.#unwatch) return
    this.#unwatch()
    this.#unwatch = undefined
    this.#socket.close()
    this.#context.ended()
  }

  #handleFrame(unit: AccessUnit): void {
    if (this.#socket.waiting > MAX_WAITING_BYTES) this.#isSkipping = true
    this.#send(unit)
  }

  #send(unit: AccessUnit): void {
    const { decoded, shown: presentationTime } = this.#presentationTimes.getTimes(unit)
    if (unit.keyframe) this.#sendInitialization(unit)
    if (this.#isSkipping && !(unit.keyframe && this.#socket.waiting <= MAX_WAITING_BYTES)) return
    if (!this.#initializationSets || unit.pts <= this.#lastPts) return
    this.#isSkipping = false
    const since = unit.pts - this.#lastPts
    if (since < MAX_DURATION_MS) this.#durationMs = Math.max(since, this.#durationMs * MIN_DURATION_RATIO)
    this.#lastPts = unit.pts
    const kind = unit.keyframe ? RELAY_MESSAGE_TYPES.key : RELAY_MESSAGE_TYPES.delta
    const { epoch } = this.#context
    const times = {
      at: epoch.toRelayTime(decoded),
      shown: epoch.toRelayTime(presentationTime),
      duration: this.#durationMs,
    }
    const bytes = createVideoFragment(unit, this.#initializationSets, ++this.#sequence, times)
    this.#socket.send(Buffer.concat([Buffer.of(kind + getExtraTrackOffset(this.#context.name)), bytes]))
  }

  /**
   * Sends an initialization segment for the first keyframe, and again when the parameter sets change, for example after
   * a rendition change.
   */
  #sendInitialization(unit: AccessUnit): void {
    const sets = unit.nals.filter(isParameterSet)
    const isKnown =
      sets.length === this.#parameterSets.length && sets.every((set, i) => this.#parameterSets[i]?.equals(set))
    const initialization = isKnown ? null : createVideoInitialization(unit)
    if (!initialization) return
    this.#parameterSets = sets
    this.#initializationSets = initialization.sets
    this.#socket.send(createInitializationMessage(initialization, this.#context.name))
  }
}

/** Returns the longest interval between adjacent frames that is below `MAX_DURATION_MS`, ms; 0 if there is none. */
function getLongestInterval(gop: readonly AccessUnit[]): number {
  const gaps = gop.slice(1).map(({ pts }, i) => pts - (gop[i]?.pts ?? pts))
  return Math.max(0, ...gaps.filter((gap) => gap < MAX_DURATION_MS))
}

export function createInitializationMessage({ codec, segment }: InitializationSegment, name: string): Buffer {
  const codecBytes = Buffer.from(codec, 'latin1')
  return Buffer.concat([
    Buffer.of(RELAY_MESSAGE_TYPES.init + getExtraTrackOffset(name), codecBytes.length),
    codecBytes,
    segment,
  ])
}
