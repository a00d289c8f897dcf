import type { CameraState } from '../../contract/cameras/devices.ts'
import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'

export interface CameraStateWithReason {
  readonly state: CameraState
  /** Sentence for the owner that explains the state; empty if there is no problem. */
  readonly reason: string
}

interface CameraStatusOptions {
  readonly deviceId: string
  readonly send: (message: BridgeMessage) => void
  /** Returns the current time, ms UTC by the provider's clock. */
  readonly now: () => number
  /** Start of the initial status, ms UTC. */
  readonly since: number
}

/** Camera state that the owner sees: the state, its start time, and any problem that does not stop the video. */
export class CameraStatus {
  readonly #options: CameraStatusOptions
  #status: CameraStateWithReason
  #problem = ''
  #since: number
  #isRegistered = false

  constructor(options: CameraStatusOptions, initialStatus: CameraStateWithReason) {
    this.#options = options
    this.#since = Math.round(options.since)
    this.#status = initialStatus
  }

  initialize(status: CameraStateWithReason): void {
    this.#status = status
  }

  get state(): CameraState {
    return this.#status.state
  }

  /** Returns the current state; `since` is ms UTC by the provider's clock. */
  getSummary(): { device_id: string; state: CameraState; reason: string; since: number } {
    const { state, reason } = this.#status
    const isReachable = state === 'awake' || state === 'asleep'
    return {
      device_id: this.#options.deviceId,
      state,
      reason: reason || (isReachable ? this.#problem : ''),
      since: this.#since,
    }
  }

  /** Sets the problem that the owner sees beside the video, as a sentence. An empty string clears the problem. */
  setProblem(problem: string): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.sendState(Math.round(this.#options.now()))
  }

  change(status: CameraStateWithReason): void {
    if (status.state === this.#status.state && status.reason === this.#status.reason) return
    if (status.state !== this.#status.state) this.#since = Math.round(this.#options.now())
    this.#status = status
    this.sendState()
  }

  /**
   * Marks the camera as registered with the provider, and sends its state. Before this call, `sendState` sends nothing.
   */
  announce(): void {
    this.#isRegistered = true
    this.sendState()
  }

  /** Sends the camera state; `at`: time of the change, ms UTC by the provider's clock. */
  sendState(at = this.#since): void {
    if (!this.#isRegistered) return
    const { device_id, state, reason } = this.getSummary()
    this.#options.send({ type: 'state', device_id, state, reason, at })
  }
}
