import { ANALYTICS_API_KEY } from '../../contract/telemetry/analytics-events.ts'
import {
  experimentFlags,
  experimentVariants,
  VARIANTS,
  type Variant,
} from '../../contract/telemetry/telemetry-calls.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'
import { getRetryDelayMs, canRetry, RETRIES_MAX } from './retry-policy.ts'

export interface ExperimentPorts {
  readonly origin: string
  /** Key of the experiment, as the operator named it. */
  readonly flag: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Interval at which the client polls the flags, ms. The default is five minutes; the minimum is one minute. */
  readonly pollMs?: number
  /** Reports that the user was exposed to a variant. */
  readonly reportExposure: (flag: string, variant: Variant) => void
  /** Returns true if the cached variants belong to this person. After this call, the cache counts as this person's. */
  readonly isSamePerson: (person: string) => boolean
  /**
   * Returns true on the first exposure with this key in this tab, and records it. Later documents of the tab get false.
   */
  readonly isFirstShown: (exposureKey: string) => boolean
  /** Reads and writes the last variant of this browser, for later documents (OPEN-105). null: no variant. */
  readonly readVariant: () => Variant | null
  readonly writeVariant: (variant: Variant | null) => void
}

export interface ExperimentUser {
  readonly user_id?: string
  readonly device_id?: string
}

/** Experiment of a page: assigns variants and reports exposures. */
export interface Experiment {
  /** Returns the variant of a person, or null. Without a response, returns the last variant of this person. */
  readonly start: (person: ExperimentUser) => Promise<Variant | null>
  /** Reports that the variant is on the screen, once per person and tab. */
  readonly expose: () => void
  /** Stops polling and prevents further requests. */
  readonly stop: () => void
}

export const PERSON_HEADER = 'x-amp-exp-user'
const POLL_DEFAULT_MS = 5 * MINUTE_MS
const POLL_MIN_MS = MINUTE_MS
const FETCH_TIMEOUT_MS = 10_000

/** Response body, or the status of a failed request; 0 without a response. */
type Outcome = { readonly body: unknown } | { readonly status: number }

/** The portal's own experiment client (EXPERIMENT-01 to EXPERIMENT-08). */
export class Experiments implements Experiment {
  readonly #ports: ExperimentPorts
  #person: ExperimentUser = {}
  #variant: Variant | null = null
  #flags = ''
  /** Identifies the current run; null while stopped. Pending requests of an earlier run have no effect. */
  #run: object | null = null
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #pollTimer: ReturnType<typeof setInterval> | undefined

  constructor(ports: ExperimentPorts) {
    this.#ports = ports
  }

  async start(person: ExperimentUser): Promise<Variant | null> {
    this.stop()
    this.#person = person
    const run = (this.#run = {})
    const { isSamePerson, readVariant, pollMs = POLL_DEFAULT_MS } = this.#ports
    const lastVariant = isSamePerson(getPersonKey(person)) ? readVariant() : null
    this.#pollTimer = setInterval(() => void this.#poll(run), Math.max(pollMs, POLL_MIN_MS))
    void this.#poll(run)
    const variant = await this.#fetchVariant(run, 0)
    this.#variant = variant === undefined ? lastVariant : variant
    return this.#variant
  }

  expose(): void {
    const { flag, isFirstShown, reportExposure } = this.#ports
    const variant = this.#variant
    if (variant === null || this.#run === null) return
    if (isFirstShown(`${flag} ${variant} ${getPersonKey(this.#person)}`)) reportExposure(flag, variant)
  }

  stop(): void {
    this.#run = null
    clearTimeout(this.#retryTimer)
    clearInterval(this.#pollTimer)
  }

  /**
   * Fetches the variant and stores it for later documents. Without a valid response, returns undefined and schedules a
   * retry.
   */
  async #fetchVariant(run: object, retries: number): Promise<Variant | null | undefined> {
    const headers = { [PERSON_HEADER]: encodePerson(this.#person) }
    const outcome = await this.#request(`${experimentVariants.path}?v=0`, headers)
    if (this.#run !== run) return
    if ('body' in outcome) {
      const variants = outcome.body as Record<string, { readonly value?: unknown } | undefined>
      const variant = parseVariant(variants[this.#ports.flag]?.value)
      this.#ports.writeVariant(variant)
      return variant
    }
    if (canRetry(outcome.status) && retries < RETRIES_MAX)
      this.#retryTimer = setTimeout(() => void this.#fetchVariant(run, retries + 1), getRetryDelayMs(retries))
    return
  }

  /** Fetches the flags. If they have changed since the last time, fetches the variant for the next document too. */
  async #poll(run: object): Promise<void> {
    const outcome = await this.#request(experimentFlags.path, {})
    if (this.#run !== run || !('body' in outcome)) return
    const flags = JSON.stringify(outcome.body)
    const hasChanged = this.#flags !== '' && this.#flags !== flags
    this.#flags = flags
    if (!hasChanged) return
    clearTimeout(this.#retryTimer)
    await this.#fetchVariant(run, 0)
  }

  /** Sends a request with only the person's ids, without URLs or language. */
  async #request(path: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
    try {
      const response = await this.#ports.fetch(this.#ports.origin + path, {
        headers: { authorization: `Api-Key ${ANALYTICS_API_KEY}`, ...headers },
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        cache: 'no-store',
      })
      const body: unknown = response.ok ? await response.json().catch(() => null) : null
      return typeof body === 'object' && body !== null ? { body } : { status: response.status }
    } catch {
      return { status: 0 }
    }
  }
}

export const getPersonKey = ({ user_id, device_id = '' }: ExperimentUser): string => user_id ?? device_id

/** Encodes the person as base64url JSON. `btoa` is safe here, because the ids are ASCII. */
export const encodePerson = (person: ExperimentUser): string =>
  btoa(JSON.stringify(person)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export const parseVariant = (value: unknown): Variant | null => VARIANTS.find((variant) => variant === value) ?? null
