import { Agent, request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { constants } from 'node:http2'
import { type ClientAddressSource, createWorkerHeaders, type FrontRequest } from './headers.ts'
import { type CompressionCache, type FrontResponse, sendAnswer, sendStoredFile, startResponse } from './respond.ts'

export interface ForwardOptions {
  /** Address of the Worker's own port. */
  readonly target: { readonly hostname: string; readonly port: string }
  readonly clientAddress: ClientAddressSource
  readonly cache: CompressionCache
}

/**
 * Maximum size of the headers of a request or response, bytes. Node's default of 16 KiB is less than workerd accepts.
 */
export const HEADER_BYTES_MAX = 64 * 1024
/** Idle time after which the front closes a connection to the Worker, ms. The Worker closes it after 5 s. */
const WORKER_IDLE_MS = 3000
/** Bytes of a rejected upload that the front reads, so that the client gets to see the response. */
const REJECTED_UPLOAD_BYTES_MAX = 16 * 1024 * 1024

const UNAVAILABLE_MESSAGE = 'Porchlight is starting or restarting. Try again in a moment.\n'
const INVALID_TARGET_MESSAGE = 'The request must name a path.\n'

function sendText(response: FrontResponse, status: number, text: string): void {
  startResponse(response, status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  })
  response.end(text)
}

/** Returns the handler of requests over HTTP/1.1 and HTTP/2. `close` ends the idle connections to the Worker. */
export function createRequestHandler(options: ForwardOptions) {
  const agent = new Agent({ keepAlive: true, timeout: WORKER_IDLE_MS })
  const handle = (request: FrontRequest, response: FrontResponse): void => {
    if (!request.url?.startsWith('/')) return sendText(response, 400, INVALID_TARGET_MESSAGE)
    if (sendStoredFile(request, response, options.cache)) return
    new Exchange(request, response, options, agent).start()
  }
  return { handle, close: () => agent.destroy() }
}

/** One request, which is forwarded to the Worker. */
class Exchange {
  readonly #request: FrontRequest
  readonly #response: FrontResponse
  readonly #options: ForwardOptions
  readonly #agent: Agent
  readonly #hasBody: boolean
  #upstream: ClientRequest | null = null
  #isAnswered = false
  #isSent = false

  constructor(request: FrontRequest, response: FrontResponse, options: ForwardOptions, agent: Agent) {
    this.#request = request
    this.#response = response
    this.#options = options
    this.#agent = agent
    this.#hasBody = hasBody(request)
  }

  start(): void {
    const upstream = this.#send(this.#agent)
    this.#response.on('close', () => {
      if (!this.#isSent) this.#upstream?.destroy()
    })
    // The client's connection broke; `close` of the response handles it.
    this.#request.on('error', () => {})
    this.#response.on('error', () => {})
    if (this.#hasBody) this.#request.pipe(upstream)
    else upstream.end()
  }

  #send(agent: Agent | false): ClientRequest {
    const { target, clientAddress } = this.#options
    const headers = createWorkerHeaders(this.#request, clientAddress)
    if (this.#hasBody && this.#request.headers['content-length'] === undefined)
      headers.push('Transfer-Encoding', 'chunked')
    if (agent === false) headers.push('Connection', 'close')
    const { method = 'GET', url = '/' } = this.#request
    const upstream = sendRequest({
      host: target.hostname,
      port: target.port,
      method,
      path: url,
      headers,
      agent,
      maxHeaderSize: HEADER_BYTES_MAX,
    })
    upstream.on('response', (answer) => void this.#answer(answer))
    upstream.on('error', () => this.#fail(upstream))
    this.#upstream = upstream
    return upstream
  }

  async #answer(answer: IncomingMessage): Promise<void> {
    this.#isAnswered = true
    const isUploading = this.#hasBody && !this.#request.complete
    if (isUploading) this.#stopUpload()
    try {
      await sendAnswer(this.#request, answer, this.#response, this.#options.cache)
      this.#isSent = true
      if (isUploading) this.#upstream?.destroy()
    } catch {
      this.#break()
    }
  }

  /**
   * Stops an upload that the Worker has answered before its end, because the Worker has rejected it. Reads the rest, or
   * else the client's connection would break before the client has read the response.
   */
  #stopUpload(): void {
    let byteCount = 0
    this.#request.unpipe()
    this.#request.on('data', (chunk: Buffer) => {
      byteCount += chunk.length
      if (byteCount > REJECTED_UPLOAD_BYTES_MAX) this.#request.destroy()
    })
  }

  /** Handles an error of the connection to the Worker. Repeats a request whose idle connection the Worker had closed. */
  #fail(upstream: ClientRequest): void {
    if (this.#isAnswered) return
    if (this.#response.destroyed || this.#response.closed) return
    if (upstream.reusedSocket && !this.#hasBody) return void this.#send(false).end()
    this.#request.unpipe(upstream)
    this.#request.resume()
    sendText(this.#response, 503, UNAVAILABLE_MESSAGE)
  }

  /** Ends an incomplete response so that the client does not mistake it for a complete one. */
  #break(): void {
    this.#upstream?.destroy()
    if ('stream' in this.#response) this.#response.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    else this.#response.destroy()
  }
}

/** Returns true if a body follows the headers. */
function hasBody(request: FrontRequest): boolean {
  if (request.httpVersionMajor === 1)
    return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  return !('stream' in request && request.stream.endAfterHeaders)
}
