import { ANSWERS_WAIT_MS } from '../../contract/cameras/camera-setup.ts'

/** Maximum number of open requests: per bridge, and per account at one bridge. */
const MAX_OPEN_REQUESTS = 8
const MAX_OPEN_PER_ACCOUNT = 5
/** Timeout of a request without a final response. */
const REQUEST_TIMEOUT_MS = 60_000
/** Time for which the responses stay in memory after the final response. */
const RESPONSE_RETENTION_MS = 60_000
/** Maximum number of responses to one request, and maximum total characters of these responses. */
const MAX_RESPONSES = 60
const MAX_RESPONSE_CHARS = 300_000

interface SealedRequest {
  readonly userId: string
  readonly boxes: string[]
  characters: number
  over: boolean
  /** Expiry, ms UTC. */
  until: number
  wake: () => void
}

export interface SealedResponses {
  readonly boxes: string[]
  readonly over: boolean
}

/**
 * Sealed requests from pages to a bridge, and the sealed responses. Both stay in memory only. The provider cannot open
 * them.
 */
export class SealedRequests {
  readonly #requests = new Map<string, SealedRequest>()

  /** Creates a request and returns its id; null if too many are open. `now`: ms UTC. */
  create(userId: string, now: number): string | null {
    for (const [id, request] of this.#requests) if (request.until <= now) this.#requests.delete(id)
    const open = [...this.#requests.values()].filter((request) => !request.over)
    if (
      open.length >= MAX_OPEN_REQUESTS ||
      open.filter((request) => request.userId === userId).length >= MAX_OPEN_PER_ACCOUNT
    )
      return null
    const id = crypto.randomUUID()
    this.#requests.set(id, {
      userId,
      boxes: [],
      characters: 0,
      over: false,
      until: now + REQUEST_TIMEOUT_MS,
      wake: () => undefined,
    })
    return id
  }

  discard(id: string): void {
    this.#requests.delete(id)
  }

  /**
   * Adds a response to a request. `over`: true for the final response. If the responses exceed `MAX_RESPONSES` or
   * `MAX_RESPONSE_CHARS`, discards the new response and ends the request.
   */
  addResponse(id: string, sealedResponse: string, over: boolean, now: number): void {
    const request = this.#requests.get(id)
    if (!request || request.over) return
    request.characters += sealedResponse.length
    const fits = request.boxes.length < MAX_RESPONSES && request.characters <= MAX_RESPONSE_CHARS
    if (fits) request.boxes.push(sealedResponse)
    request.over = over || !fits
    if (request.over) request.until = now + RESPONSE_RETENTION_MS
    request.wake()
  }

  /**
   * Returns the responses without the first `after` ones. If there are none yet, first waits for a response, at most
   * `ANSWERS_WAIT_MS`. Returns null if the account has no request with this id.
   */
  async read(userId: string, id: string, after: number): Promise<SealedResponses | null> {
    const request = this.#requests.get(id)
    if (request?.userId !== userId) return null
    if (request.boxes.length <= after && !request.over) await this.#waitForChange(request)
    return { boxes: request.boxes.slice(after), over: request.over }
  }

  async #waitForChange(request: SealedRequest): Promise<void> {
    // End an earlier pending read: the page reads again only if it did not get the earlier result.
    request.wake()
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      request.wake = resolve
      timer = setTimeout(resolve, ANSWERS_WAIT_MS)
    })
    clearTimeout(timer)
  }
}
