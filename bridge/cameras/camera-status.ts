import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraState } from '../../contract/live/signaling.ts'

export interface Status {
  readonly state: CameraState
  /** One sentence for the owner; empty if all is well. */
  readonly reason: string
}

interface StatusOptions {
  readonly deviceId: string
  readonly send: (message: BridgeMessage) => void
  /** Returns the current time, ms UTC by the provider's clock. */
  readonly now: () => number
  /** Start of the initial status, ms UTC. */
  readonly since: number
}

/** Camera state as its owner sees it: the state, its start, and any problem beside it. */
export class CameraStatus {
  private readonly options: StatusOptions
  private status: Status
  /** Problem that the owner should know although the camera can be watched; empty if none. */
  private trouble = ''
  private since: number
  private registered = false

  constructor(options: StatusOptions, first: Status) {
    this.options = options
    this.since = Math.round(options.since)
    this.status = first
  }

  initialize(status: Status): void {
    this.status = status
  }

  get state(): CameraState {
    return this.status.state
  }

  /** Returns the current state; `since` is ms UTC by the provider's clock. */
  summary(): { device_id: string; state: CameraState; reason: string; since: number } {
    const { state, reason } = this.status
    const isThere = state === 'awake' || state === 'asleep'
    return {
      device_id: this.options.deviceId,
      state,
      reason: reason || (isThere ? this.trouble : ''),
      since: this.since,
    }
  }

  /** Sets the problem to show beside the video, as a sentence; empty clears it. */
  setTrouble(trouble: string): void {
    if (trouble === this.trouble) return
    this.trouble = trouble
    this.send(Math.round(this.options.now()))
  }

  change(status: Status): void {
    if (status.state === this.status.state && status.reason === this.status.reason) return
    // A new reason for the same state keeps the start of the state.
    if (status.state !== this.status.state) this.since = Math.round(this.options.now())
    this.status = status
    this.send()
  }

  /** Marks the camera as registered with the provider and sends its state. Before this call, no state is sent. */
  announce(): void {
    this.registered = true
    this.send()
  }

  /** Sends the camera state; `at`: start of the state, ms UTC. */
  send(at = this.since): void {
    if (!this.registered) return
    const { device_id, state, reason } = this.summary()
    this.options.send({ type: 'state', device_id, state, reason, at })
  }
}
