import { FrameWatch, type PathFigures } from './frame-stats.ts'
import { QualityControl, type PlaybackTotals } from './quality-control.ts'
import type { QualityPreference } from './quality-selection.ts'
import { readStats } from '../webrtc/peer-stats.ts'
import type { RelayPlayer } from '../relay/relay-player.ts'
import { DEAD_MS, type Figures } from './tile-state-machine.ts'

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
  /** Which renditions there are, and what people have chosen of them. */
  wish(): Promise<QualityPreference>
  /** The rendition that was chosen for all when the camera was asked for. */
  chosenBefore: string | null
  /** Says something on the signalling socket. */
  send(message: string): void
  figures(figures: Figures): void
  /** The picture has stopped; nothing runs any more. */
  lost(): void
}

type Path = PathFigures & PlaybackTotals

/**
 * Watches a picture that plays, from its first frame on: its figures and the rendition that fits it every second, and
 * whether it stops.
 */
export class PictureWatch {
  private readonly picture: WatchedPicture
  private readonly frames: FrameWatch
  private readonly quality: QualityControl
  private readonly timer: ReturnType<typeof setInterval>
  private looks = 0
  private progress = 0
  private stopped = false

  constructor(picture: WatchedPicture) {
    this.picture = picture
    this.frames = new FrameWatch(picture.video)
    this.quality = new QualityControl({
      ...{ video: picture.video, isRelayed: picture.relay !== null, chosenBefore: picture.chosenBefore },
      send: (message) => picture.send(message),
    })
    this.timer = setInterval(() => void this.checkPlayback(), LOOK_MS)
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

  private async checkPlayback(): Promise<void> {
    const { picture, age } = this
    this.looks += 1
    const isLate = age > (picture.isDown() ? DEAD_MS : STALL_MS)
    const isTime = this.looks % FIGURES_EVERY === 0
    if (!isLate && !isTime) return
    const [path, wish] = await Promise.all([this.read(), picture.wish()])
    // A window behind another one presents no frames, yet receives them: that is no stall.
    const isMoving = path.pictures !== this.progress
    this.progress = path.pictures
    if (this.stopped) return
    if (isTime) this.reportFigures(path, wish, age)
    if (!isLate || isMoving) return
    this.stop()
    picture.lost()
  }

  private reportFigures(path: Path, wish: QualityPreference, age: number): void {
    const now = performance.now()
    // What the camera itself has stopped says nothing of the link.
    const rendition = this.picture.isDown() ? null : this.quality.chooseRendition(wish, path, now)
    if (age <= LOOK_MS * 2) this.picture.figures({ ...this.frames.figures(now, path), rendition })
  }

  /** How the way of the pictures does, and what it has brought. */
  private async read(): Promise<Path> {
    const { relay, pc } = this.picture
    const nothing = { received: null, roundTripMs: null, lost: null, lagMs: null, frozen: 0 }
    if (relay) return { ...nothing, pictures: relay.received, lagMs: relay.lagMs() }
    if (!pc) return { ...nothing, pictures: 0 }
    const { framesDecoded, ...path } = await readStats(pc)
    return { ...path, lagMs: null, pictures: framesDecoded }
  }
}
