import type { SealedAsk } from '../../contract/cameras/camera-setup.ts'
import type { BridgeMessage, ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { SealedRequests, type Answers } from './sealed-requests.ts'
import { PendingRequests } from './pending-requests.ts'

/** Timeout for the sealing key: a page needs it before it can seal a request. */
const DOOR_MS = 3000

type OpenDoor = { state: 'open'; key: string; nonce: string }
export type DoorAnswer = OpenDoor | { state: 'bridge_off' | 'no_answer' }

/** Channel through which pages add cameras to one bridge: its sealing key, sealed requests and sealed responses. */
export class CameraSetupChannel {
  private readonly doors = new PendingRequests<OpenDoor>(DOOR_MS)
  private readonly asks = new SealedRequests()
  private readonly send: (message: ProviderMessage) => boolean

  /** `send` sends a message to the bridge; it returns false if the bridge is not connected. */
  constructor(send: (message: ProviderMessage) => boolean) {
    this.send = send
  }

  door(): Promise<DoorAnswer> {
    return this.doors.sendRequest((ask_id) => this.send({ type: 'door', ask_id }))
  }

  /** Sends a sealed request of an account to the bridge; returns the id of the request. */
  sendRequest(userId: string, home_id: string, sealed: SealedAsk): string | 'bridge_off' | 'too_many' {
    const ask_id = this.asks.create(userId, Date.now())
    if (ask_id === null) return 'too_many'
    if (this.send({ type: 'sealed', ask_id, home_id, sealed })) return ask_id
    this.asks.drop(ask_id)
    return 'bridge_off'
  }

  read(userId: string, askId: string, after: number): Promise<Answers | null> {
    return this.asks.read(userId, askId, after)
  }

  hear(message: Extract<BridgeMessage, { type: 'door' | 'answer' }>, now: number): void {
    const { ask_id } = message
    if (message.type === 'answer') return this.asks.answered(ask_id, message.box, message.over, now)
    this.doors.answered(ask_id, { state: 'open', key: message.key, nonce: message.nonce })
  }
}
