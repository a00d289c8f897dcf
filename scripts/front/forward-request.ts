import { Agent, request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { constants } from 'node:http2'
import { type ClientAddressSource, createWorkerHeaders, type FrontRequest, getHost } from './headers.ts'
import { type CompressionCache, type FrontResponse, sendAnswer, sendStoredFile, startResponse } from './respond.ts'

export interface ForwardOptions {
  /** Address of the Worker's own port. */
  readonly target: { readonly hostname: string; readonly port: string }
  readonly clientAddress: ClientAddressSource
  readonly cache: CompressionCache
  /** Origin at which browsers must open pages, because a login works only there; undefined: any. */
  readonly pageOrigin?: string | undefined
}

/**
 * Maximum size of the headers of a request or response, bytes. Node's default of 16 KiB is less than workerd accepts.
 */
export const HEADER_BYTES_MAX = 64 * 1024
/** Idle time after which the front closes a connection to the Worker, ms. The Worker closes it after 5 s. */
const WORKER_IDLE_MS = 3000
/** workerd reads up to 64 KiB of a rejected upload. */
const LARGE_UPLOAD_BYTES = 32 * 1024
/** Bytes of a rejected upload that the front reads, so that the client gets to see the response. */
const REJECTED_UPLOAD_BYTES_MAX = 16 * 1024 * 1024

const UNAVAILABLE_MESSAGE = 'Porchlight is starting or restarting. Try again in a moment.\n'
const BROKEN_UPLOAD_MESSAGE =
  'Porchlight ended the upload. The upload is too large, or Porchlight is restarting. Try again in a moment.\n'
const INVALID_TARGET_MESSAGE = "The path or a header of the request isn't valid.\n"

function sendText(response: FrontResponse, status: number, text: string): void {
  startResponse(response, status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  })
  response.end(text)
}

/** Returns true if the target is a path and the method is in upper case, because Node would send `connect` as CONNECT. */
export const isForwardable = ({ url, method }: FrontRequest): boolean =>
  url?.startsWith('/') === true && /^[A-Z-]+$/.test(method ?? '') && method !== 'CONNECT'

/** Returns where a browser must open a page that it requested at another address of this computer; null: here. */
function findPageUrl(request: FrontRequest, pageOrigin: string | undefined): string | null {
  if (pageOrigin === undefined || request.headers['sec-fetch-mode'] !== 'navigate') return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  return getHost(request) === new URL(pageOrigin).host ? null : pageOrigin + request.url
}

function redirect(response: FrontResponse, url: string): void {
  startResponse(response, 307, { location: url, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  response.end()
}

/** Returns the handler of requests over HTTP/1.1 and HTTP/2. `close` ends the idle connections to the Worker. */
export function createRequestHandler(options: ForwardOptions) {
  const agent = new Agent({ keepAlive: true, timeout: WORKER_IDLE_MS })
  const handle = (request: FrontRequest, response: FrontResponse): void => {
    if (!isForwardable(request)) return sendText(response, 400, INVALID_TARGET_MESSAGE)
    const page = findPageUrl(request, options.pageOrigin)
    if (page !== null) return redirect(response, page)
    if (sendStoredFile(request, response, options.cache)) return
    try {
      new Exchange(request, response, options, agent).start()
    } catch {
      // Node refuses to send some bytes that HTTP/2 permits in a path or header.
      sendText(response, 400, INVALID_TARGET_MESSAGE)
    }
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
    // An error of the upload is also an error of the response or of `upstream`.
    if (this.#hasBody) this.#upload(upstream).catch(() => {})
    else upstream.end()
  }

  /**
   * Sends the body of the request when the Worker begins to read it. workerd closes the connection of an upload that it
   * rejects, and a write to a closed connection would discard the response.
   */
  async #upload(upstream: ClientRequest): Promise<void> {
    const stopped = waitForAny(upstream, ['response', 'close'])
    if (this.#isLargeUpload) {
      upstream.flushHeaders()
      await Promise.race([waitForAny(upstream, ['continue']), stopped])
    }
    let rejectedByteCount = 0
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      if (this.#isAnswered) rejectedByteCount += chunk.length
      else if (!upstream.write(chunk)) await Promise.race([waitForAny(upstream, ['drain']), stopped])
      // The rest of a rejected upload is read, or else the client could not read the response.
      if (rejectedByteCount > REJECTED_UPLOAD_BYTES_MAX) return
    }
    if (!this.#isAnswered) upstream.end()
  }

  /** True if workerd would close the connection without reading a rejected upload to its end. */
  get #isLargeUpload(): boolean {
    const length = this.#request.headers['content-length']
    return this.#hasBody && (length === undefined || Number(length) > LARGE_UPLOAD_BYTES)
  }

  #send(agent: Agent | false): ClientRequest {
    const { target, clientAddress } = this.#options
    const headers = createWorkerHeaders(this.#request, clientAddress)
    const length = this.#request.headers['content-length']
    if (length !== undefined) headers.push('Content-Length', length)
    else if (this.#hasBody) headers.push('Transfer-Encoding', 'chunked')
    if (this.#isLargeUpload) headers.push('Expect', '100-continue')
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
    const isUploading = this.#upstream?.writableEnded === false
    try {
      await sendAnswer(this.#request, answer, this.#response, this.#options.cache)
      this.#isSent = true
      if (isUploading) this.#upstream?.destroy()
    } catch {
      this.#break()
    }
  }

  /** Handles an error of the connection to the Worker. Repeats a request whose idle connection the Worker had closed. */
  #fail(upstream: ClientRequest): void {
    if (this.#isAnswered || this.#response.destroyed) return
    const isRepeatable = !this.#hasBody && /^(?:GET|HEAD)$/.test(this.#request.method ?? '')
    if (upstream.reusedSocket && isRepeatable) return void this.#send(false).end()
    this.#isAnswered = true
    sendText(this.#response, 503, this.#hasBody ? BROKEN_UPLOAD_MESSAGE : UNAVAILABLE_MESSAGE)
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

/** Resolves at the first of the events. Unlike `once` of Node, never rejects. */
const waitForAny = (upstream: ClientRequest, events: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    for (const event of events) upstream.once(event, () => resolve())
  })
