import type { ManagedCamera } from './cameras/managed-camera.ts'
import { log } from './runtime/log.ts'
import type { RecordingQueue } from './recording/recording-queue.ts'
import type { Control } from './uplink/control-socket.ts'
import type { ProviderClient } from './uplink/provider-client.ts'
import { SleepWatch } from './uplink/sleep-detector.ts'
import type { SceneLibrary } from './virtual/scene-library.ts'
import { WatchReport } from './detection-coverage-report.ts'

const TICK_MS = 1000

interface HeartbeatParts {
  readonly units: ReadonlyMap<string, ManagedCamera>
  readonly queue: RecordingQueue
  readonly library: SceneLibrary
  readonly client: ProviderClient
  readonly control: Control
}

/** Every second: detects whether the computer has slept, and reports the detection coverage. */
export class Heartbeat {
  private readonly parts: HeartbeatParts
  private readonly report: WatchReport
  private readonly sleep = new SleepWatch()
  private timer: NodeJS.Timeout | undefined

  constructor(parts: HeartbeatParts) {
    const { units, queue, library, client, control } = parts
    this.parts = parts
    this.report = new WatchReport({ units, queue, library, clock: client, send: (message) => control.send(message) })
    client.onJump = () => this.interrupt()
  }

  start(): void {
    this.timer = setInterval(() => this.beat(), TICK_MS)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  renew(): void {
    this.report.renew()
  }

  private beat(): void {
    const { client, control } = this.parts
    const { sleptMs, stoodStill } = this.sleep.check()
    if (sleptMs > 0) {
      log(`The computer has slept for ${Math.round(sleptMs / 1000)} s; the clock is compared anew.`)
      client.advance(sleptMs)
      control.renew()
    } else if (stoodStill) this.interrupt()
    void this.report.tick()
  }

  /**
   * Ends current recordings and restarts detection, because a recording that continued would have a gap in its time.
   */
  private interrupt(): void {
    for (const unit of this.parts.units.values()) unit.interrupt()
  }
}
