import { FrameMonitor, type TransportStats } from './frame-stats.ts'
import { QualityControl, type PlaybackTotals } from './quality-control.ts'
import type { QualityPreference } from './quality-selection.ts'
import { readPeerStats } from '../webrtc/peer-stats.ts'
import type { RelayPlayer } from '../relay/relay-player.ts'
import { DEAD_STREAM_MS, type PlaybackStats } from './tile-state-machine.ts'

const STALL_AFTER_MS = 2500
const CHECK_INTERVAL_MS = 500
const CHECKS_PER_REPORT = 2

export interface MonitoredPlayback {
  video: HTMLVideoElement
  /** Current transport: `relay` if it is not null, else `pc`. */
  relay: RelayPlayer | null
  pc: RTCPeerConnection | null
  /** Returns true if the last reported camera state is not `awake`. */
  isCameraDown(): boolean
  /** Returns the offered renditions, and the choices of the owner and the viewer. */
  getQualityPreference(): Promise<QualityPreference>
  /** Rendition chosen for all viewers when the stream was requested; null for none. */
  chosenBefore: string | null
  /** Sends a message on the signaling socket. */
  send(message: string): void
  onStats(onStats: PlaybackStats): void
  /** Called when the stream has stopped and the monitor has ended. */
  onLost(): void
}

type PlaybackReading = TransportStats & PlaybackTotals

/**
 * Monitors a playing stream from its first frame on. Updates statistics and rendition every second, and detects stalls.
 */
export class PlaybackMonitor {
  readonly #playback: MonitoredPlayback
  readonly #frames: FrameMonitor
  readonly #quality: QualityControl
  readonly #timer: ReturnType<typeof setInterval>
  #checkCount = 0
  #lastFrameCount = 0
  #isStopped = false

  constructor(playback: MonitoredPlayback) {
    this.#playback = playback
    this.#frames = new FrameMonitor(playback.video)
    this.#quality = new QualityControl({
      video: playback.video,
      isRelayed: playback.relay !== null,
      chosenBefore: playback.chosenBefore,
      send: (message) => playback.send(message),
    })
    this.#timer = setInterval(() => void this.#checkPlayback(), CHECK_INTERVAL_MS)
  }

  get frameAgeMs(): number {
    return performance.now() - this.#frames.lastFrameAt
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#frames.stop()
  }

  async #checkPlayback(): Promise<void> {
    const { frameAgeMs } = this
    const playback = this.#playback
    this.#checkCount += 1
    const isLate = frameAgeMs > (playback.isCameraDown() ? DEAD_STREAM_MS : STALL_AFTER_MS)
    const isReportDue = this.#checkCount % CHECKS_PER_REPORT === 0
    if (!isLate && !isReportDue) return
    const [reading, preference] = await Promise.all([this.#readPlayback(), playback.getQualityPreference()])
    // A stream in a covered window has not stalled: frames arrive, although the browser displays none.
    const isMoving = reading.pictures !== this.#lastFrameCount
    this.#lastFrameCount = reading.pictures
    if (this.#isStopped) return
    if (isReportDue) this.#reportStats(reading, preference, frameAgeMs)
    if (!isLate || isMoving) return
    this.stop()
    playback.onLost()
  }

  #reportStats(reading: PlaybackReading, preference: QualityPreference, frameAgeMs: number): void {
    const now = performance.now()
    // If the camera itself stopped the stream, the measurements say nothing about the link.
    const rendition = this.#playback.isCameraDown() ? null : this.#quality.chooseRendition(preference, reading, now)
    if (frameAgeMs <= CHECK_INTERVAL_MS * 2)
      this.#playback.onStats({ ...this.#frames.computeStats(now, reading), rendition })
  }

  async #readPlayback(): Promise<PlaybackReading> {
    const { relay, pc } = this.#playback
    const unknownStats = { received: null, roundTripMs: null, lost: null, lagMs: null, frozen: 0 }
    if (relay) return { ...unknownStats, pictures: relay.receivedCount, lagMs: relay.getLagMs() }
    if (!pc) return { ...unknownStats, pictures: 0 }
    const { framesDecoded, ...path } = await readPeerStats(pc)
    return { ...path, lagMs: null, pictures: framesDecoded }
  }
}
