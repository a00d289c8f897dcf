import type { BridgeMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraState } from '../../contract/live/signaling.ts'

export interface Status {
  readonly state: CameraState
  /** One sentence for the owner, empty while all is well. */
  readonly reason: string
}

interface StatusOptions {
  readonly deviceId: string
  readonly send: (message: BridgeMessage) => void
  /** ms UTC by the provider's clock. */
  readonly now: () => number
  /** Since when the first status counts, ms UTC. */
  readonly since: number
}

/** What a camera is doing as its owner is told: its state, since when it is so, and what is wrong beside it. */
export class CameraStatus {
  private readonly options: StatusOptions
  private status: Status
  /** What its owner should know although it can be watched; empty: nothing. */
  private trouble = ''
  private since: number
  private registered = false

  constructor(options: StatusOptions, first: Status) {
    this.options = options
    this.since = Math.round(options.since)
    this.status = first
  }

  /** What it does from the start on, which nobody is told yet. */
  initialize(status: Status): void {
    this.status = status
  }

  get state(): CameraState {
    return this.status.state
  }

  /** `since` by the provider's clock, ms UTC. */
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

  /** What is wrong beside its picture, as a sentence; empty: nothing any more. */
  setTrouble(trouble: string): void {
    if (trouble === this.trouble) return
    this.trouble = trouble
    this.send(Math.round(this.options.now()))
  }

  change(status: Status): void {
    if (status.state === this.status.state && status.reason === this.status.reason) return
    // Another reason for the same state does not begin it anew.
    if (status.state !== this.status.state) this.since = Math.round(this.options.now())
    this.status = status
    this.send()
  }

  /** The provider knows the camera from now on: until then nothing is sent. */
  announce(): void {
    this.registered = true
    this.send()
  }

  /** Says what the camera is doing; `at`: since when that counts, ms UTC. */
  send(at = this.since): void {
    if (!this.registered) return
    const { device_id, state, reason } = this.summary()
    this.options.send({ type: 'state', device_id, state, reason, at })
  }
}
