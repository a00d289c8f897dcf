import WebSocket from 'ws'
import { readProviderMessage } from '../../contract/bridge/parse-bridge-messages.ts'
import { BRIDGE_PATHS, type BridgeMessage, type ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { Unreadable } from '../../contract/wire/lenient-parse.ts'
import { BackOff } from '../runtime/backoff.ts'
import { READ_MAX } from '../limits.ts'
import { log, warn } from '../runtime/log.ts'
import type { ProviderClient } from './provider-client.ts'

const PING_MS = 10_000
/** Silence after which a connection counts as lost. */
const SILENCE_MS = 25_000

export interface ControlEvents {
  /** Returns the first message of every connection. */
  hello(): BridgeMessage
  message(message: ProviderMessage): void
}

/** Control socket to the provider: reconnects indefinitely, with a backoff of 250 ms to 5 s. */
export class Control {
  private readonly client: ProviderClient
  private readonly events: ControlEvents
  private readonly backOff = new BackOff(250, 5000)
  private socket: WebSocket | undefined
  private timer: NodeJS.Timeout | undefined
  private pinger: NodeJS.Timeout | undefined
  private readonly unreadable = new Unreadable()
  private heard = 0
  private complaint = ''
  private stopped = false

  constructor(client: ProviderClient, events: ControlEvents) {
    this.client = client
    this.events = events
  }

  start(): void {
    const url = new URL(BRIDGE_PATHS.control, this.client.origin)
    url.protocol = url.protocol.replace('http', 'ws')
    const headers = this.client.headers('GET', BRIDGE_PATHS.control, '')
    const socket = new WebSocket(url, {
      ...{ headers, handshakeTimeout: 8000, perMessageDeflate: false, maxPayload: READ_MAX.message },
    })
    this.socket = socket
    socket.on('unexpected-response', (_request, response) => {
      const clockWasOff = this.client.learnTime(firstHeaderValue(response.headers['x-provider-time']))
      response.resume()
      socket.terminate()
      if (response.statusCode === 401 && clockWasOff) return this.again('', 0)
      this.again(refusal(response.statusCode ?? 0))
    })
    socket.on('open', () => this.opened())
    socket.on('message', (data) => this.received(String(data)))
    socket.on('error', () => undefined)
    socket.on('close', () => this.again('The provider cannot be reached; the bridge keeps trying.'))
  }

  /** Sends a message. Drops it while disconnected: the next hello message repeats all lasting state. */
  send(message: BridgeMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  /** Reconnects immediately: after sleep the connection is probably dead, and the clock must be synchronized. */
  renew(): void {
    if (this.timer) return
    this.socket?.removeAllListeners('close').terminate()
    this.again('', 0)
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    clearInterval(this.pinger)
    this.socket?.close(1000)
    this.socket?.terminate()
  }

  private opened(): void {
    this.heard = performance.now()
    this.send(this.events.hello())
    this.pinger = setInterval(() => this.ping(), PING_MS)
  }

  private ping(): void {
    if (performance.now() - this.heard > SILENCE_MS) this.socket?.terminate()
    else this.send({ type: 'ping' })
  }

  private received(data: string): void {
    this.heard = performance.now()
    const { message, problem } = readProviderMessage(data)
    if (problem !== null) this.missed(problem)
    if (!message) return
    if (message.type === 'welcome') {
      log('Connected to the provider.')
      this.complaint = ''
      this.backOff.reset()
    }
    this.events.message(message)
  }

  private missed(problem: string): void {
    const times = this.unreadable.met(problem)
    if (times > 0) log(`Something that the provider said cannot be read here (${problem}); ${times} so far.`)
  }

  /** Schedules the next connection. Acts only once per lost connection, because several events report the same loss. */
  private again(reason: string, wait?: number): void {
    if (this.stopped || this.timer) return
    clearInterval(this.pinger)
    if (reason && reason !== this.complaint) (reason === UNKNOWN ? warn : log)(reason)
    if (reason) this.complaint = reason
    const connect = () => {
      this.timer = undefined
      this.start()
    }
    this.timer = setTimeout(connect, wait ?? this.backOff.next())
  }
}

/** The bridge was removed or its key was replaced: the owner has to act. */
const UNKNOWN =
  'The provider rejects the key of this bridge: it was removed in the portal, or enrolled again. To use it again, delete bridge.key and enroll it with a new code. It keeps trying.'

function firstHeaderValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function refusal(status: number): string {
  return status === 401 || status === 403 ? UNKNOWN : `The provider answers with ${status}; the bridge keeps trying.`
}
