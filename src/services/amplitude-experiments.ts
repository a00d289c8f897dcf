import { ExperimentClient } from '@amplitude/experiment-js-client'
import { ANALYTICS_API_KEY } from '../../contract/telemetry/analytics-events.ts'
import type { Variant } from '../../contract/telemetry/telemetry-calls.ts'
import { SILENT_LOGGER } from './amplitude-events.ts'
import {
  encodePerson,
  getPersonKey,
  parseVariant,
  PERSON_HEADER,
  type Experiment,
  type ExperimentPorts,
  type ExperimentUser,
} from './experiments.ts'

/** Request timeout if the library sets none, ms. */
const DEFAULT_FETCH_TIMEOUT_MS = 10_000

interface ExposureEvent {
  readonly eventProperties?: Readonly<Record<string, unknown>>
}

/** The library @amplitude/experiment-js-client as the experiment of a page. */
export class AmplitudeExperiments implements Experiment {
  readonly #ports: ExperimentPorts
  readonly #client: ExperimentClient
  #person: ExperimentUser = {}
  #isStopped = false
  #isStarting = false

  constructor(ports: ExperimentPorts) {
    this.#ports = ports
    // The library's `initialize` is not used, because it would record the page URL and the browser language.
    this.#client = new ExperimentClient(ANALYTICS_API_KEY, {
      serverUrl: `${ports.origin}/t/experiment`,
      flagsServerUrl: `${ports.origin}/t/experiment`,
      instanceName: ports.flag,
      automaticExposureTracking: false,
      loggerProvider: SILENT_LOGGER,
      logLevel: 0,
      ...(ports.pollMs !== undefined && { flagConfigPollingIntervalMillis: ports.pollMs }),
      httpClient: { request: (url, method, headers, _data, limit) => this.#sendRequest(url, method, headers, limit) },
    })
    this.#client.addPlugin({
      name: 'portal',
      type: 'integration',
      getUser: () => ({}),
      // Always accepted: the portal's sender has its own queue.
      track: ({ eventProperties }: ExposureEvent) => this.#expose(eventProperties?.['variant']),
    } as Parameters<ExperimentClient['addPlugin']>[0])
  }

  /**
   * Fetches the variant of a person. Without a response, returns the cached variant of the same person (OPEN-105).
   * Returns null if there is no variant.
   */
  async start(person: ExperimentUser): Promise<Variant | null> {
    this.#person = person
    if (!this.#ports.isSamePerson(getPersonKey(person))) this.#client.clear()
    this.#isStopped = false
    this.#isStarting = true
    await this.#client.start({ ...person }).catch(() => null)
    this.#isStarting = false
    if (this.#isStopped) this.#client.stop()
    return parseVariant(this.#client.variant(this.#ports.flag).value)
  }

  /**
   * Reports that the variant is on the screen, once per person and tab. The library alone would report once per
   * document.
   */
  expose(): void {
    const { flag, isFirstShown } = this.#ports
    const { value = '' } = this.#client.variant(flag)
    if (isFirstShown(`${flag} ${value} ${getPersonKey(this.#person)}`)) this.#client.exposure(flag)
  }

  /**
   * Stops polling and prevents further requests. While the library is still starting, `start` stops it afterward: the
   * library begins polling when its start completes, even if it was stopped in the meantime.
   */
  stop(): void {
    this.#isStopped = true
    if (!this.#isStarting) this.#client.stop()
  }

  #expose(value: unknown): true {
    const variant = parseVariant(value)
    if (variant !== null) this.#ports.reportExposure(this.#ports.flag, variant)
    return true
  }

  /**
   * Sends a request for the library with only the person's ids, without URLs or language. Aborts on timeout, because
   * the library's own timeout leaves the request open and would block the next one.
   */
  async #sendRequest(
    url: string,
    method: string,
    rawHeaders: Record<string, string>,
    timeoutMs = DEFAULT_FETCH_TIMEOUT_MS,
  ) {
    // The library retries failed requests even after it was stopped.
    if (this.#isStopped) throw new Error('The experiment client is stopped.')
    const headers = new Headers(rawHeaders)
    if (headers.has(PERSON_HEADER)) headers.set(PERSON_HEADER, encodePerson(this.#person))
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await this.#ports.fetch(url, { method, headers, signal, cache: 'no-store' })
    return { status: response.status, body: await response.text() }
  }
}
