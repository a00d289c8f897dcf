import {
  changedSession,
  collectorConfig,
  COLLECTOR_VERSION,
  finish,
  FIRST_PARTY_VALUE,
  generateCookie,
  logoFrame,
  newSession,
  storeCookie,
} from '../../../contract/telemetry/device-collector.ts'
import { fillPath } from '../../../contract/wire/call.ts'
import { formatGroups, readServerConfig, type Flags, type Ready, type ServerConfig } from './collector-rules.ts'

const TIMEOUT_MS = 3000

/** Calls of one collector to its host. An instance lives until its page is left (OPEN-94). */
export class CollectorCalls {
  private readonly ready: Ready
  private readonly instance: string
  private readonly send: typeof fetch

  constructor(ready: Ready, instance: string, send: typeof fetch) {
    this.ready = ready
    this.instance = instance
    this.send = send
  }

  /** Throws an Error with the reason if there is no usable configuration. */
  async config(): Promise<ServerConfig> {
    const answer = await this.send(this.at(collectorConfig.path, this.identityParams()), timed())
    if (!answer.ok) throw new Error(`The configuration was answered with ${answer.status}.`)
    const config = readServerConfig(await answer.json())
    if (!config) throw new Error('The configuration is malformed.')
    return config
  }

  /**
   * Fetches a new first-party value. Throws if the response has no valid one, because the value is written into a
   * cookie unescaped.
   */
  async newValue(): Promise<string> {
    const answer = await this.send(this.at(generateCookie.path, this.identityParams()), timed())
    if (!answer.ok) throw new Error(`A first-party value was answered with ${answer.status}.`)
    const { value } = (await answer.json()) as { value?: unknown }
    if (typeof value !== 'string' || !FIRST_PARTY_VALUE.test(value))
      throw new Error('The first-party value is malformed.')
    return value
  }

  /** Submits a stored first-party value to the host and returns the HTTP status. */
  async checkValue(value: string): Promise<number> {
    const body = new URLSearchParams({ ...this.identityParams(), k: value })
    return (await this.send(this.at(storeCookie.path), { method: 'POST', body, ...timed() })).status
  }

  /**
   * Reports the session to the host. It replaces the session `previous`, unless that is ''. The request outlives the
   * page. Returns the HTTP status.
   */
  async reportSession(previous: string): Promise<number> {
    const { clientID, sessionID } = this.ready
    const call = previous === '' ? newSession : changedSession
    const path = fillPath(call.path, { sessionId: sessionID })
    const query = { ...(previous === '' ? {} : { previousSessionID: previous }), kddcgid: this.instance }
    const answer = await this.send(this.at(path, query), {
      method: call.method,
      headers: { 'client-id': clientID },
      keepalive: true,
      ...timed(),
    })
    return answer.status
  }

  /**
   * Builds the URL of the hidden frame. The allowed groups are in the fragment, because the query is prescribed
   * (CALL-64).
   */
  frame(flags: Flags): string {
    return `${this.at(logoFrame.path, this.identityParams())}#${formatGroups(flags)}`
  }

  /** Returns the URL and form of the beacon that is sent when the page is left. */
  end(): [string, URLSearchParams] {
    const { clientID: m, sessionID: s } = this.ready
    return [this.at(finish.path), new URLSearchParams({ n: 'collect-end', com: 'false', et: '0', s, m })]
  }

  private identityParams(): Record<string, string> {
    const { clientID: m, sessionID: s } = this.ready
    return { m, s, sv: COLLECTOR_VERSION, kddcgid: this.instance }
  }

  private at(path: string, query: Record<string, string> = {}): string {
    const text = new URLSearchParams(query).toString()
    return this.ready.origin + path + (text === '' ? '' : `?${text}`)
  }
}

const timed = (): RequestInit => ({ signal: AbortSignal.timeout(TIMEOUT_MS), credentials: 'omit', cache: 'no-store' })
