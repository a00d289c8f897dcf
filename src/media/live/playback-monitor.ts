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
  /** Current transport: the relay if there is one, else the peer connection. */
  relay: RelayPlayer | null
  pc: RTCPeerConnection | null
  /** Returns true if the camera itself reported that it has no video. */
  isDown(): boolean
  /** Returns the offered renditions and the choices of owner and viewer. */
  wish(): Promise<QualityPreference>
  /** Rendition chosen for all viewers when the stream was requested. */
  chosenBefore: string | null
  /** Sends a message on the signaling socket. */
  send(message: string): void
  figures(figures: Figures): void
  /** Called when the stream has stopped and the monitor has ended. */
  lost(): void
}

type Path = PathFigures & PlaybackTotals

/** Monitors a playing stream from its first frame: statistics and the best rendition every second, and stalls. */
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

  /** Time since the last frame, ms. */
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
    // A covered window receives frames without displaying them, so this is not a stall.
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
    // If the camera itself stopped the stream, the measurements say nothing about the link.
    const rendition = this.picture.isDown() ? null : this.quality.chooseRendition(wish, path, now)
    if (age <= LOOK_MS * 2) this.picture.figures({ ...this.frames.figures(now, path), rendition })
  }

  /** Reads the statistics of the transport and its totals. */
  private async read(): Promise<Path> {
    const { relay, pc } = this.picture
    const nothing = { received: null, roundTripMs: null, lost: null, lagMs: null, frozen: 0 }
    if (relay) return { ...nothing, pictures: relay.received, lagMs: relay.lagMs() }
    if (!pc) return { ...nothing, pictures: 0 }
    const { framesDecoded, ...path } = await readStats(pc)
    return { ...path, lagMs: null, pictures: framesDecoded }
  }
}
