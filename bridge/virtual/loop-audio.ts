import { pictureAt } from '../../scenes/day-plan.ts'
import { PACKET_MS, type AudioPacket } from '../media/audio/audio-clock.ts'
import type { CameraPlan, ProviderClock } from './day-schedule.ts'
import { selectSegment, type SceneLibrary } from './scene-library.ts'
import { SECOND_MS } from '../../contract/time-units.ts'

/**
 * Maximum difference between playback and the clock, ms. Beyond it (sleep, stop, clock change), playback jumps to the
 * clock.
 */
const JUMP_MS = 500

/**
 * Rounds a number of packets down to whole seconds, because segments last whole seconds: this drops the encoder's
 * look-ahead packet.
 */
const whole = (packets: number): number => packets - (packets % (SECOND_MS / PACKET_MS))

/** Returns the packet `ms` after the start of a segment; audio shorter than the segment repeats. */
export const packetAt = (packets: readonly Buffer[], ms: number): Buffer | undefined =>
  packets[Math.round(ms / PACKET_MS) % whole(packets.length)]

interface Second {
  /** Start of this second, ms UTC. */
  readonly start: number
  readonly file: string | undefined
  /** Start of the segment, ms UTC. */
  readonly segmentStart: number
}

/** Returns true if a virtual camera has a microphone, which requires a scene with audio. */
export const isHeard = ({ input }: CameraPlan): boolean =>
  Object.values(input.scene.lights).every(({ quiet }) => quiet.sound !== undefined)

/**
 * Audio of a virtual camera: like the video, a function of the clock. A segment without audio of its own plays the
 * quiet audio of its scene, repeated as needed.
 */
export class LoopSound {
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly clock: ProviderClock
  private readonly watchers = new Set<(packet: AudioPacket) => void>()
  private readonly loaded = new Map<string, Buffer[]>()
  private timer: NodeJS.Timeout | undefined
  private second: Second | undefined
  /** Time of the next packet, ms UTC. */
  private due = 0
  private running = false

  constructor(library: SceneLibrary, plan: CameraPlan, clock: ProviderClock) {
    this.library = library
    this.plan = plan
    this.clock = clock
  }

  start(): void {
    this.running = true
    this.resume()
  }

  stop(): void {
    this.running = false
    this.pause()
  }

  watch(onPacket: (packet: AudioPacket) => void): () => void {
    this.watchers.add(onPacket)
    this.resume()
    return () => {
      this.watchers.delete(onPacket)
      if (this.watchers.size === 0) this.pause()
    }
  }

  private resume(): void {
    if (!this.running || this.timer || this.watchers.size === 0) return
    this.due = Math.ceil(this.clock.now() / PACKET_MS) * PACKET_MS
    this.schedule()
  }

  private pause(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private schedule(): void {
    this.timer = setTimeout(() => this.tick(), Math.max(0, this.due - this.clock.now()))
  }

  private tick(): void {
    const now = this.clock.now()
    if (Math.abs(now - this.due) > JUMP_MS) this.due = Math.ceil(now / PACKET_MS) * PACKET_MS
    for (; this.due <= now + 1; this.due += PACKET_MS) this.play(this.due)
    this.schedule()
  }

  private play(at: number): void {
    const { file, segmentStart } = this.getSecond(at)
    const packets = file === undefined ? undefined : this.loaded.get(file)
    const data = packets && packetAt(packets, at - segmentStart)
    if (data) for (const watcher of this.watchers) watcher({ data, pts: at })
  }

  /**
   * Returns the audio for the second that contains `at`. Reads the day schedule only once per second, because segments
   * start and end on whole seconds.
   */
  private getSecond(at: number): Second {
    const start = Math.floor(at / SECOND_MS) * SECOND_MS
    if (this.second?.start === start) return this.second
    this.second = this.planned(start)
    const next = this.planned(start + SECOND_MS)
    const keep = [this.second.file, next.file]
    for (const file of this.loaded.keys()) if (!keep.includes(file)) this.loaded.delete(file)
    for (const file of keep) this.load(file)
    return this.second
  }

  private planned(start: number): Second {
    const { scene, input } = this.plan
    const picture = pictureAt(input, start)
    const segment = selectSegment(this.library, scene, picture)
    const file = segment.sound ?? input.scene.lights[picture.light].quiet.sound
    return { start, file, segmentStart: picture.segmentStart }
  }

  private load(file: string | undefined): void {
    if (file === undefined || this.loaded.has(file)) return
    this.loaded.set(file, [])
    this.library.sound(file).then(
      (packets) => this.loaded.set(file, packets),
      () => this.loaded.delete(file),
    )
  }
}
