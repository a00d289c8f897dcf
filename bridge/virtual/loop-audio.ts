import { getFrameAt } from '../../scenes/day-plan.ts'
import { PACKET_MS, type AudioPacket } from '../media/audio/audio-clock.ts'
import type { DaySchedule, ProviderClock } from './day-schedule.ts'
import { selectSegment, type SceneLibrary } from './scene-library.ts'
import { SECOND_MS } from '../../contract/time-units.ts'

/** Maximum difference between playback and the clock, ms. After a longer pause, playback jumps to the clock. */
const MAX_DRIFT_MS = 500

/** Rounds a number of packets down to whole seconds, which drops the encoder's look-ahead packet at the end. */
const roundDownToSeconds = (packets: number): number => packets - (packets % (SECOND_MS / PACKET_MS))

/**
 * Returns the packet at `ms` after the start of a segment. Audio that is shorter than the segment repeats. Returns
 * undefined if there is less than a second of audio.
 */
export const getPacket = (packets: readonly Buffer[], ms: number): Buffer | undefined =>
  packets[Math.round(ms / PACKET_MS) % roundDownToSeconds(packets.length)]

interface AudioSecond {
  /** Start of this second, ms UTC. */
  readonly start: number
  readonly file: string | undefined
  /** Start of the segment, ms UTC. */
  readonly segmentStart: number
}

/** Returns true if a virtual camera has a microphone: its scene must have quiet audio for every time of day. */
export const hasMicrophone = ({ input }: DaySchedule): boolean =>
  Object.values(input.scene.lights).every(({ quiet }) => quiet.sound !== undefined)

/**
 * Audio of a virtual camera. Like the video, it depends only on the clock. A segment without audio plays its scene's
 * quiet audio in a loop.
 */
export class LoopAudio {
  readonly #library: SceneLibrary
  readonly #daySchedule: DaySchedule
  readonly #clock: ProviderClock
  readonly #watchers = new Set<(packet: AudioPacket) => void>()
  readonly #loadedPackets = new Map<string, Buffer[]>()
  #timer: NodeJS.Timeout | undefined
  #currentSecond: AudioSecond | undefined
  /** Time of the next packet, ms UTC. */
  #nextPacketAt = 0
  #isRunning = false

  constructor(library: SceneLibrary, daySchedule: DaySchedule, clock: ProviderClock) {
    this.#library = library
    this.#daySchedule = daySchedule
    this.#clock = clock
  }

  start(): void {
    this.#isRunning = true
    this.#resume()
  }

  stop(): void {
    this.#isRunning = false
    this.#pause()
  }

  watch(onPacket: (packet: AudioPacket) => void): () => void {
    this.#watchers.add(onPacket)
    this.#resume()
    return () => {
      this.#watchers.delete(onPacket)
      if (this.#watchers.size === 0) this.#pause()
    }
  }

  #resume(): void {
    if (!this.#isRunning || this.#timer || this.#watchers.size === 0) return
    this.#nextPacketAt = Math.ceil(this.#clock.now() / PACKET_MS) * PACKET_MS
    this.#schedule()
  }

  #pause(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, this.#nextPacketAt - this.#clock.now()))
  }

  #tick(): void {
    const now = this.#clock.now()
    if (Math.abs(now - this.#nextPacketAt) > MAX_DRIFT_MS) this.#nextPacketAt = Math.ceil(now / PACKET_MS) * PACKET_MS
    for (; this.#nextPacketAt <= now + 1; this.#nextPacketAt += PACKET_MS) this.#sendPacket(this.#nextPacketAt)
    this.#schedule()
  }

  #sendPacket(at: number): void {
    const { file, segmentStart } = this.#getSecond(at)
    const packets = file === undefined ? undefined : this.#loadedPackets.get(file)
    const data = packets && getPacket(packets, at - segmentStart)
    if (data) for (const watcher of this.#watchers) watcher({ data, pts: at })
  }

  /**
   * Returns the audio for the second that contains `at`. Reads the day schedule only once per second, because segments
   * start and end on whole seconds.
   */
  #getSecond(at: number): AudioSecond {
    const start = Math.floor(at / SECOND_MS) * SECOND_MS
    if (this.#currentSecond?.start === start) return this.#currentSecond
    this.#currentSecond = this.#planSecond(start)
    const next = this.#planSecond(start + SECOND_MS)
    const keep = [this.#currentSecond.file, next.file]
    for (const file of this.#loadedPackets.keys()) if (!keep.includes(file)) this.#loadedPackets.delete(file)
    for (const file of keep) this.#load(file)
    return this.#currentSecond
  }

  #planSecond(start: number): AudioSecond {
    const { scene, input } = this.#daySchedule
    const frame = getFrameAt(input, start)
    const segment = selectSegment(this.#library, scene, frame)
    const file = segment.sound ?? input.scene.lights[frame.light].quiet.sound
    return { start, file, segmentStart: frame.segmentStart }
  }

  #load(file: string | undefined): void {
    if (file === undefined || this.#loadedPackets.has(file)) return
    this.#loadedPackets.set(file, [])
    this.#library.loadAudio(file).then(
      (packets) => this.#loadedPackets.set(file, packets),
      () => this.#loadedPackets.delete(file),
    )
  }
}
