import type { ManagedCamera } from './cameras/managed-camera.ts'
import { log } from './runtime/log.ts'
import type { RecordingQueue } from './recording/recording-queue.ts'
import type { ControlSocket } from './uplink/control-socket.ts'
import type { ProviderClient } from './uplink/provider-client.ts'
import { SleepDetector } from './uplink/sleep-detector.ts'
import type { SceneLibrary } from './virtual/scene-library.ts'
import { DetectionCoverageReport } from './detection-coverage-report.ts'

const TICK_MS = 1000

interface HeartbeatParts {
  readonly units: ReadonlyMap<string, ManagedCamera>
  readonly queue: RecordingQueue
  readonly library: SceneLibrary
  readonly client: ProviderClient
  readonly control: ControlSocket
}

/**
 * Checks every second if the computer slept or this process paused, and sends a detection coverage report if one is
 * due.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts
  readonly #report: DetectionCoverageReport
  readonly #sleepDetector = new SleepDetector()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: HeartbeatParts) {
    const { units, queue, library, client, control } = parts
    this.#parts = parts
    this.#report = new DetectionCoverageReport({
      units,
      queue,
      library,
      clock: client,
      send: (message) => control.send(message),
    })
    client.onClockJump = () => this.#interruptCameras()
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** `confirmsCoverage`: see `DetectionCoverageReport`. */
  requestReport(confirmsCoverage?: boolean): void {
    this.#report.requestReport(confirmsCoverage)
  }

  #tick(): void {
    const { client, control } = this.#parts
    const { sleptMs, stoodStill } = this.#sleepDetector.check()
    if (sleptMs > 0) {
      log(`The computer was asleep for ${Math.round(sleptMs / 1000)} seconds. The hub is syncing its clock again.`)
      client.advanceClock(sleptMs)
      control.renew()
    } else if (stoodStill) this.#interruptCameras()
    void this.#report.tick()
  }

  /**
   * Ends all current recordings and restarts motion detection. A recording that continued would have a gap in its
   * timestamps.
   */
  #interruptCameras(): void {
    for (const unit of this.#parts.units.values()) unit.interrupt()
  }
}
