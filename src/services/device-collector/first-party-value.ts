import { FIRST_PARTY_VALUE_FORMAT } from '../../../contract/telemetry/device-collector.ts'
import type { CollectorCalls } from './collector-calls.ts'
import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'

const YEAR_S = 365 * 86_400
const POLL_MS = 10
const POLL_TIMEOUT_MS = 2000
const REJECTED_STATUS = 500

/**
 * Formats a cookie that is valid for one year. The collector's frame can read the cookie only if `isSecure` is true.
 */
export const formatCookie = (name: string, value: string, isSecure: boolean): string =>
  `${name}=${value};max-age=${YEAR_S};path=/;${isSecure ? 'SameSite=None;Secure' : 'SameSite=Lax'}`

const toValidValue = (value: string): string => (FIRST_PARTY_VALUE_FORMAT.test(value) ? value : '')

/** First-party value of this browser, in a cookie and in local storage. */
export class FirstPartyValue {
  readonly #ports: CollectorPorts
  readonly #keys: CollectorKeys

  constructor(ports: CollectorPorts, keys: CollectorKeys) {
    this.#ports = ports
    this.#keys = keys
  }

  /**
   * Validates the stored value with the host, and requests a new value if none is stored or the host rejects it.
   * Returns true if a usable value exists within two seconds (OPEN-150).
   */
  async ensureValue(calls: CollectorCalls, reportProblem: (problem: string) => void): Promise<boolean> {
    const value = this.reconcile()
    const status = value === '' ? REJECTED_STATUS : await calls.submitFirstPartyValue(value).catch(() => 0)
    if (status === REJECTED_STATUS) {
      this.#deleteValue()
      calls.fetchFirstPartyValue().then(
        (fresh) => this.#storeValue(fresh),
        (error: Error) => reportProblem(error.message),
      )
    } else if (status !== 200) reportProblem(`The first-party value request failed with status ${status}.`)
    return this.#waitForValue()
  }

  /**
   * Returns the stored value, or '' if neither local storage nor the cookie holds a well-formed one. Copies the value
   * to the storage that lacks it or differs; local storage takes precedence.
   */
  reconcile(): string {
    const [stored, cookie] = [
      toValidValue(this.#ports.localStorage.read(this.#keys.local) ?? ''),
      toValidValue(this.#readCookie()),
    ]
    const value = stored || cookie
    if (value !== '' && stored !== cookie) this.#storeValue(value)
    return value
  }

  #waitForValue(): Promise<boolean> {
    const startedAt = this.#ports.now()
    return new Promise((resolve) => {
      const poll = () => {
        if (this.reconcile() !== '') return resolve(true)
        if (this.#ports.now() - startedAt >= POLL_TIMEOUT_MS) return resolve(false)
        setTimeout(poll, POLL_MS)
      }
      poll()
    })
  }

  #readCookie(): string {
    const [entry = ''] = filterByPrefix(`${this.#keys.cookie}=`, this.#ports.cookie.read().split('; '))
    return entry.slice(this.#keys.cookie.length + 1)
  }

  #storeValue(value: string): void {
    this.#ports.localStorage.write(this.#keys.local, value)
    this.#ports.cookie.write(formatCookie(this.#keys.cookie, value, this.#ports.isSecure))
  }

  #deleteValue(): void {
    this.#ports.localStorage.remove(this.#keys.local)
    this.#ports.cookie.write(`${this.#keys.cookie}=;max-age=0;path=/`)
  }
}

/**
 * Returns the strings of a list that start with a prefix, in order; ignores other entries.
 * @throws Error if the prefix is not a string, or if the list is not an array (EVENT-27).
 */
export function filterByPrefix(prefix: string, list: readonly unknown[]): string[] {
  if (typeof prefix !== 'string') throw new Error('Prefix must be a string.')
  if (!Array.isArray(list)) throw new Error('List must be an array.')
  return list.filter((entry): entry is string => typeof entry === 'string' && entry.startsWith(prefix))
}
