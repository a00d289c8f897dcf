import { FrameWatch, type PathFigures } from './frames.ts'
import { readStats } from './stats.ts'
import type { RelayPlayer } from './relay-player.ts'
import { DEAD_MS, type Figures } from './tile-machine.ts'

const STALL_MS = 2500
const LOOK_MS = 500
const FIGURES_EVERY = 2

export interface WatchedPicture {
  video: HTMLVideoElement
  /** The way that the picture comes: the relay's while there is one, else the connection's. */
  relay: RelayPlayer | null
  pc: RTCPeerConnection | null
  /** Whether the camera itself has said that there can be no picture. */
  isDown(): boolean
  figures(figures: Figures): void
  /** The picture has stopped; nothing runs any more. */
  lost(): void
}

/** Watches a picture that plays, from its first frame on: its figures every second, and whether it stops. */
export class PictureWatch {
  private readonly picture: WatchedPicture
  private readonly frames: FrameWatch
  private readonly timer: ReturnType<typeof setInterval>
  private looks = 0
  private progress = 0
  private stopped = false

  constructor(picture: WatchedPicture) {
    this.picture = picture
    this.frames = new FrameWatch(picture.video)
    this.timer = setInterval(() => void this.look(), LOOK_MS)
  }

  /** How long ago the last frame was, ms. */
  get age(): number {
    return performance.now() - this.frames.lastAt
  }

  stop(): void {
    this.stopped = true
    clearInterval(this.timer)
    this.frames.stop()
  }

  private async look(): Promise<void> {
    const { picture, frames, age } = this
    this.looks += 1
    const isLate = age > (picture.isDown() ? DEAD_MS : STALL_MS)
    const isTime = this.looks % FIGURES_EVERY === 0 && age <= LOOK_MS * 2
    if (!isLate && !isTime) return
    const { progress, ...path } = await this.read()
    // A window behind another one presents no frames, yet receives them: that is no stall.
    const isMoving = progress !== this.progress
    this.progress = progress
    if (this.stopped) return
    if (isTime) picture.figures(frames.figures(performance.now(), path))
    if (!isLate || isMoving) return
    this.stop()
    picture.lost()
  }

  /** How the way of the pictures does; `progress` counts what it has brought. */
  private async read(): Promise<PathFigures & { progress: number }> {
    const { relay, pc } = this.picture
    if (relay) return { progress: relay.received, roundTripMs: null, lost: null, lagMs: relay.lagMs() }
    if (!pc) return { progress: 0, roundTripMs: null, lost: null, lagMs: null }
    const { framesDecoded, ...path } = await readStats(pc)
    return { ...path, lagMs: null, progress: framesDecoded }
  }
}
