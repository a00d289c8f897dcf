import { pictureAt } from '../../scenes/day-plan.ts'
import { PACKET_MS, type AudioPacket } from '../media/audio/audio-clock.ts'
import type { CameraPlan, Clock } from './day-schedule.ts'
import { selectSegment, type SceneLibrary } from './scene-library.ts'

const SECOND = 1000
/** Further behind than this (asleep, stopped, clock set) the sound goes on from where the clock is. */
const JUMP_MS = 500

/** The encoder adds a packet for what it looks ahead: segments last whole seconds. */
const whole = (packets: number): number => packets - (packets % (SECOND / PACKET_MS))

/** What is heard `ms` after the beginning of a segment with these packets; from the beginning again when it lasts longer. */
export const packetAt = (packets: readonly Buffer[], ms: number): Buffer | undefined =>
  packets[Math.round(ms / PACKET_MS) % whole(packets.length)]

interface Second {
  /** ms UTC, whole seconds. */
  readonly start: number
  readonly file: string | undefined
  /** Where the segment began, ms UTC. */
  readonly segmentStart: number
}

/** Whether a virtual camera has a microphone: its scene has been given sound. */
export const isHeard = ({ input }: CameraPlan): boolean =>
  Object.values(input.scene.lights).every(({ quiet }) => quiet.sound !== undefined)

/**
 * The sound of a virtual camera: like its pictures a function of the clock, on the same time. A segment without a sound of
 * its own sounds as when nothing happens, from the beginning again when it lasts longer.
 */
export class LoopSound {
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly clock: Clock
  private readonly watchers = new Set<(packet: AudioPacket) => void>()
  private readonly loaded = new Map<string, Buffer[]>()
  private timer: NodeJS.Timeout | undefined
  private second: Second | undefined
  /** The moment of the next packet. */
  private due = 0
  private running = false

  constructor(library: SceneLibrary, plan: CameraPlan, clock: Clock) {
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

  /** The plan is asked once a second: segments begin and end there. */
  private getSecond(at: number): Second {
    const start = Math.floor(at / SECOND) * SECOND
    if (this.second?.start === start) return this.second
    this.second = this.planned(start)
    const next = this.planned(start + SECOND)
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
