import { ExperimentClient } from '@amplitude/experiment-js-client'
import { MEASURE_KEY } from '../../contract/telemetry/analytics-events.ts'
import { VARIANTS, type Variant } from '../../contract/telemetry/telemetry-calls.ts'
import { SILENT } from './analytics.ts'

/** What the experiment client needs of its page. */
export interface ExperimentPorts {
  readonly origin: string
  /** Key of the experiment, as the operator named it. */
  readonly flag: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** How often the flags are asked for, ms: five minutes by default, one at least. */
  readonly pollMs?: number
  /** Tells that somebody was shown a variant; false where it has to be told again. */
  readonly expose: (flag: string, variant: Variant) => boolean
  /** Whether the answers that this browser keeps are about this person; those that come from now on are. */
  readonly isSamePerson: (person: string) => boolean
  /** Whether this is shown for the first time in this tab, whatever documents it has had; remembers it. */
  readonly isFirstShown: (exposureKey: string) => boolean
}

/** A person by account, browser, or both. */
export interface Person {
  readonly user_id?: string
  readonly device_id?: string
}

/** Who is asked about. */
const PERSON = 'x-amp-exp-user'
/** How long an answer is waited for, where the library says nothing. */
const FETCH_MS = 10_000

interface Exposed {
  readonly eventProperties?: Readonly<Record<string, unknown>>
}

/** The one experiment of a page (EXPERIMENT-01 to EXPERIMENT-09): who gets which variant, and that it was seen. */
export class Experiments {
  readonly #ports: ExperimentPorts
  readonly #client: ExperimentClient
  #person: Person = {}
  #isStopped = false
  #isStarting = false

  constructor(ports: ExperimentPorts) {
    this.#ports = ports
    // Not by the library's own `initialize`, which notes the address of the page and the language of its owner.
    this.#client = new ExperimentClient(MEASURE_KEY, {
      ...{ serverUrl: `${ports.origin}/t/experiment`, flagsServerUrl: `${ports.origin}/t/experiment` },
      ...{ instanceName: ports.flag, automaticExposureTracking: false, loggerProvider: SILENT, logLevel: 0 },
      ...(ports.pollMs !== undefined && { flagConfigPollingIntervalMillis: ports.pollMs }),
      httpClient: { request: (url, method, headers, _data, limit) => this.#ask(url, method, headers, limit) },
    })
    this.#client.addPlugin({
      ...{ name: 'portal', type: 'integration' },
      getUser: () => ({}),
      // The library keeps what is not taken, 512 of them.
      track: ({ eventProperties }: Exposed) => this.#expose(eventProperties?.['variant']),
    } as Parameters<ExperimentClient['addPlugin']>[0])
  }

  /** Asks for the variant of a person; null for nobody, where nothing answers, or where the service knows of none. */
  async start(person: Person): Promise<Variant | null> {
    this.#person = person
    // A variant that was kept for somebody else is nobody's here.
    if (!this.#ports.isSamePerson(personKey(person))) this.#client.clear()
    this.#isStopped = false
    this.#isStarting = true
    await this.#client.start({ ...person }).catch(() => null)
    this.#isStarting = false
    if (this.#isStopped) this.#client.stop()
    return parseVariant(this.#client.variant(this.#ports.flag).value)
  }

  /** Says that the variant is on the screen now; counted once for each person and tab. The library counts once for a document. */
  expose(): void {
    const { flag, isFirstShown } = this.#ports
    const { value = '' } = this.#client.variant(flag)
    if (isFirstShown(`${flag} ${value} ${personKey(this.#person)}`)) this.#client.exposure(flag)
  }

  /** Asks for nothing any more. The library begins to poll at the end of its start, also where it was stopped meanwhile. */
  stop(): void {
    this.#isStopped = true
    if (!this.#isStarting) this.#client.stop()
  }

  #expose(value: unknown): boolean {
    const variant = parseVariant(value)
    return variant === null || this.#ports.expose(this.#ports.flag, variant)
  }

  /**
   * The library would tell of the browser, its addresses and its owner's language as well: only ids are told. Its own time-out
   * leaves the request open, and the browser would hold the next one behind it.
   */
  async #ask(url: string, method: string, rawHeaders: Record<string, string>, limit = FETCH_MS) {
    // The library asks again after a failure, stopped or not.
    if (this.#isStopped) throw new Error('It is stopped.')
    const headers = new Headers(rawHeaders)
    if (headers.has(PERSON)) headers.set(PERSON, encoded(this.#person))
    const signal = AbortSignal.timeout(limit)
    const answer = await this.#ports.fetch(url, { method, headers, signal, cache: 'no-store' })
    return { status: answer.status, body: await answer.text() }
  }
}

/** An account, else a browser. */
const personKey = ({ user_id, device_id = '' }: Person) => user_id ?? device_id

/** base64url of JSON; ids are of ASCII. */
const encoded = (person: Person) =>
  btoa(JSON.stringify(person)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** A variant that the portal knows. */
export const parseVariant = (value: unknown): Variant | null => VARIANTS.find((variant) => variant === value) ?? null
