import {
  reportReplacedSession,
  collectorConfig,
  COLLECTOR_VERSION,
  finishCollection,
  FIRST_PARTY_VALUE_FORMAT,
  generateCookie,
  logoFrame,
  reportNewSession,
  storeCookie,
} from '../../../contract/telemetry/device-collector.ts'
import { fillPath } from '../../../contract/wire/call.ts'
import {
  formatGroups,
  parseServerConfig,
  type FactGroupFlags,
  type CollectorSettings,
  type CollectorServerConfig,
} from './collector-rules.ts'

const TIMEOUT_MS = 3000

/**
 * Calls of a collector to its host for one session. `instanceId`: random id of the collector on this page (OPEN-94).
 */
export class CollectorCalls {
  readonly #settings: CollectorSettings
  readonly #instanceId: string
  readonly #send: typeof fetch

  constructor(settings: CollectorSettings, instanceId: string, send: typeof fetch) {
    this.#settings = settings
    this.#instanceId = instanceId
    this.#send = send
  }

  /** Throws an Error with the reason if there is no usable configuration. */
  async fetchConfig(): Promise<CollectorServerConfig> {
    const response = await this.#send(this.#buildUrl(collectorConfig.path, this.#identityParams()), createRequestInit())
    if (!response.ok) throw new Error(`The configuration request failed with status ${response.status}.`)
    const config = parseServerConfig(await response.json())
    if (!config) throw new Error('The configuration is malformed.')
    return config
  }

  /**
   * Fetches a new first-party value. Throws if the request fails or the value is malformed. The format is checked,
   * because the collector writes the value into a cookie unescaped.
   */
  async fetchFirstPartyValue(): Promise<string> {
    const response = await this.#send(this.#buildUrl(generateCookie.path, this.#identityParams()), createRequestInit())
    if (!response.ok) throw new Error(`The first-party value request failed with status ${response.status}.`)
    const { value } = (await response.json()) as { value?: unknown }
    if (typeof value !== 'string' || !FIRST_PARTY_VALUE_FORMAT.test(value))
      throw new Error('The first-party value is malformed.')
    return value
  }

  /** Submits a stored first-party value to the host and returns the HTTP status. */
  async submitFirstPartyValue(value: string): Promise<number> {
    const body = new URLSearchParams({ ...this.#identityParams(), k: value })
    return (await this.#send(this.#buildUrl(storeCookie.path), { method: 'POST', body, ...createRequestInit() })).status
  }

  /**
   * Reports the session to the host and returns the HTTP status. The session replaces `previousSessionId`, unless that
   * is ''. The request continues after the page is left.
   */
  async reportSession(previousSessionId: string): Promise<number> {
    const { clientID, sessionID } = this.#settings
    const call = previousSessionId === '' ? reportNewSession : reportReplacedSession
    const path = fillPath(call.path, { sessionId: sessionID })
    const query = {
      ...(previousSessionId === '' ? {} : { previousSessionID: previousSessionId }),
      kddcgid: this.#instanceId,
    }
    const response = await this.#send(this.#buildUrl(path, query), {
      method: call.method,
      headers: { 'client-id': clientID },
      keepalive: true,
      ...createRequestInit(),
    })
    return response.status
  }

  /**
   * Builds the URL of the hidden frame. The allowed fact groups are in the fragment, because CALL-64 prescribes the
   * exact query.
   */
  buildFrameUrl(flags: FactGroupFlags): string {
    return `${this.#buildUrl(logoFrame.path, this.#identityParams())}#${formatGroups(flags)}`
  }

  /** Returns the URL and form of the beacon that is sent when the page is left. */
  buildEndBeacon(): [string, URLSearchParams] {
    const { clientID: m, sessionID: s } = this.#settings
    return [
      this.#buildUrl(finishCollection.path),
      new URLSearchParams({ n: 'collect-end', com: 'false', et: '0', s, m }),
    ]
  }

  #identityParams(): Record<string, string> {
    const { clientID: m, sessionID: s } = this.#settings
    return { m, s, sv: COLLECTOR_VERSION, kddcgid: this.#instanceId }
  }

  #buildUrl(path: string, query: Record<string, string> = {}): string {
    const queryText = new URLSearchParams(query).toString()
    return this.#settings.origin + path + (queryText === '' ? '' : `?${queryText}`)
  }
}

const createRequestInit = (): RequestInit => ({
  signal: AbortSignal.timeout(TIMEOUT_MS),
  credentials: 'omit',
  cache: 'no-store',
})
