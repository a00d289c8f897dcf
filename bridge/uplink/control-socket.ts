import WebSocket from 'ws'
import { parseProviderMessage } from '../../contract/bridge/parse-bridge-messages.ts'
import { HEARTBEAT_TEXT } from '../../contract/bridge/heartbeat.ts'
import {
  BRIDGE_PATHS,
  type BridgeMessage,
  type HelloMessage,
  type ProviderMessage,
} from '../../contract/bridge/bridge-protocol.ts'
import { ParseProblemCounter } from '../../contract/wire/lenient-parse.ts'
import { Backoff } from '../runtime/backoff.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { log, warn } from '../runtime/log.ts'
import type { LastContact } from './last-contact.ts'
import type { ProviderClient } from './provider-client.ts'

const PING_INTERVAL_MS = 10_000
/** Time without a message after which a connection counts as lost, ms. */
const SILENCE_TIMEOUT_MS = 25_000

export interface ControlSocketEvents {
  /** Returns the first message of every connection. */
  createHello(): HelloMessage
  onMessage(onMessage: ProviderMessage): void
  readonly lastContact?: LastContact
}

/** Control socket to the provider. Reconnects indefinitely, with a backoff of up to 5 s. */
export class ControlSocket {
  readonly #client: ProviderClient
  readonly #events: ControlSocketEvents
  readonly #backoff = new Backoff(250, 5000)
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #pingTimer: NodeJS.Timeout | undefined
  readonly #parseProblems = new ParseProblemCounter()
  #lastReceivedAt = 0
  #lastReason = ''
  #hasClock = false
  #isStopped = false

  constructor(client: ProviderClient, events: ControlSocketEvents) {
    this.#client = client
    this.#events = events
  }

  async open(): Promise<void> {
    await this.#events.lastContact?.open()
  }

  start(): void {
    const url = new URL(BRIDGE_PATHS.control, this.#client.origin)
    url.protocol = url.protocol.replace('http', 'ws')
    const headers = this.#client.createHeaders('GET', BRIDGE_PATHS.control, '')
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: 8000,
      perMessageDeflate: false,
      maxPayload: READ_BYTES_MAX.message,
    })
    this.#socket = socket
    socket.on('unexpected-response', (_request, response) => {
      const wasClockOff = this.#client.learnClockOffset(getFirstHeaderValue(response.headers['x-provider-time']))
      response.resume()
      socket.terminate()
      if (response.statusCode === 401 && wasClockOff) return this.#scheduleReconnect('', 0)
      this.#scheduleReconnect(explainStatus(response.statusCode ?? 0))
    })
    socket.on('open', () => this.#handleOpen())
    socket.on('message', (data) => this.#handleData(String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#scheduleReconnect("The provider can't be reached. Retrying…"))
  }

  /** Sends a message, or drops it while disconnected. The next hello message repeats all lasting state. */
  send(message: BridgeMessage): void {
    this.#sendText(JSON.stringify(message))
  }

  #sendText(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text)
  }

  /**
   * Reconnects immediately, unless a reconnect is already scheduled. Called after sleep: the connection is probably
   * dead, and the clock must be synced.
   */
  renew(): void {
    if (this.#timer) return
    this.#socket?.removeAllListeners('close').terminate()
    this.#scheduleReconnect('', 0)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearInterval(this.#pingTimer)
    this.#socket?.close(1000)
    this.#socket?.terminate()
  }

  #handleOpen(): void {
    this.#lastReceivedAt = performance.now()
    const at = this.#events.lastContact?.at
    this.send({ ...this.#events.createHello(), ...(at !== undefined && { last_contact: at }) })
    this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL_MS)
  }

  #ping(): void {
    if (performance.now() - this.#lastReceivedAt > SILENCE_TIMEOUT_MS) this.#socket?.terminate()
    else this.#sendText(HEARTBEAT_TEXT)
  }

  #handleData(data: string): void {
    this.#lastReceivedAt = performance.now()
    const { message, problem } = parseProviderMessage(data)
    if (problem !== null) this.#logUnreadable(problem)
    if (!message) return
    if (message.type === 'welcome') {
      log('Connected to the provider.')
      this.#lastReason = ''
      this.#backoff.reset()
    }
    this.#events.onMessage(message)
    /* The first welcome sets the clock. */
    this.#hasClock ||= message.type === 'welcome'
    if (this.#hasClock) this.#events.lastContact?.record(this.#client.now())
  }

  #logUnreadable(problem: string): void {
    const times = this.#parseProblems.countProblem(problem)
    if (times > 0) log(`A message from the provider couldn't be read (${problem}). Occurrences so far: ${times}.`)
  }

  /** Schedules the next connection. Ignores repeated calls, because several events report the same lost connection. */
  #scheduleReconnect(reason: string, delayMs?: number): void {
    if (this.#isStopped || this.#timer) return
    clearInterval(this.#pingTimer)
    if (reason && reason !== this.#lastReason) (reason === REJECTED_KEY_TEXT ? warn : log)(reason)
    if (reason) this.#lastReason = reason
    const connect = () => {
      this.#timer = undefined
      this.start()
    }
    this.#timer = setTimeout(connect, delayMs ?? this.#backoff.next())
  }
}

const REJECTED_KEY_TEXT =
  "The provider rejects this hub's key. The hub may have been removed in the portal or registered again. To use the hub again, delete bridge.key and connect the hub with a new code. Retrying…"

function getFirstHeaderValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function explainStatus(status: number): string {
  return status === 401 || status === 403 ? REJECTED_KEY_TEXT : `The provider responded with ${status}. Retrying…`
}
