import type { SealedRequest } from '../../contract/cameras/camera-setup.ts'
import type { BridgeMessage, ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { SealedRequests, type SealedResponses } from './sealed-requests.ts'
import { PendingRequests } from './pending-requests.ts'

/**
 * Timeout of a request for the sealing key. It is short, because the page needs this key before it can send a camera
 * setup request.
 */
const SEALING_KEY_TIMEOUT_MS = 3000

type SealingKey = { state: 'open'; key: string; nonce: string }
export type SealingKeyResult = SealingKey | { state: 'bridge_off' | 'no_answer' }

/**
 * Channel for adding cameras through one bridge. It transfers the sealing key, sealed requests and sealed responses.
 */
export class CameraSetupChannel {
  readonly #keyRequests = new PendingRequests<SealingKey>(SEALING_KEY_TIMEOUT_MS)
  readonly #sealedRequests = new SealedRequests()
  readonly #send: (message: ProviderMessage) => boolean

  /** `send` sends a message to the bridge; it returns false if the bridge is not connected. */
  constructor(send: (message: ProviderMessage) => boolean) {
    this.#send = send
  }

  requestSealingKey(): Promise<SealingKeyResult> {
    return this.#keyRequests.sendRequest((ask_id) => this.#send({ type: 'door', ask_id }))
  }

  /**
   * Sends a sealed request of an account to the bridge. Returns the request id, or the reason why the request was not
   * sent.
   */
  sendRequest(userId: string, home_id: string, sealed: SealedRequest): string | 'bridge_off' | 'too_many' {
    const ask_id = this.#sealedRequests.create(userId, Date.now())
    if (ask_id === null) return 'too_many'
    if (this.#send({ type: 'sealed', ask_id, home_id, sealed })) return ask_id
    this.#sealedRequests.discard(ask_id)
    return 'bridge_off'
  }

  readResponses(userId: string, askId: string, after: number): Promise<SealedResponses | null> {
    return this.#sealedRequests.read(userId, askId, after)
  }

  handleMessage(message: Extract<BridgeMessage, { type: 'door' | 'answer' }>, now: number): void {
    const { ask_id } = message
    if (message.type === 'answer') return this.#sealedRequests.addResponse(ask_id, message.box, message.over, now)
    this.#keyRequests.handleResponse(ask_id, { state: 'open', key: message.key, nonce: message.nonce })
  }
}
