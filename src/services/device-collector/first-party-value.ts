import { FIRST_PARTY_VALUE } from '../../../contract/telemetry/device-collector.ts'
import { withPrefix } from './with-prefix.ts'
import type { CollectorCalls } from './collector-calls.ts'
import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'

const YEAR_S = 365 * 86_400
const POLL_MS = 10
const POLL_MAX_MS = 2000
const REJECTED = 500

/**
 * Formats a cookie that is valid for one year. The collector's frame can read the cookie only if `isSecure` is true.
 */
export const formatCookie = (name: string, value: string, isSecure: boolean): string =>
  `${name}=${value};max-age=${YEAR_S};path=/;${isSecure ? 'SameSite=None;Secure' : 'SameSite=Lax'}`

const wellFormed = (value: string): string => (FIRST_PARTY_VALUE.test(value) ? value : '')

/** First-party value of this browser, in a cookie and in local storage. */
export class FirstParty {
  private readonly ports: CollectorPorts
  private readonly keys: CollectorKeys

  constructor(ports: CollectorPorts, keys: CollectorKeys) {
    this.ports = ports
    this.keys = keys
  }

  /**
   * Validates the stored value with the host, and requests a new value if none is stored or the host rejects it.
   * Returns true if a usable value exists within two seconds after that (OPEN-150). Reports problems to `note`.
   */
  async settle(calls: CollectorCalls, note: (problem: string) => void): Promise<boolean> {
    const value = this.reconcile()
    const status = value === '' ? REJECTED : await calls.checkValue(value).catch(() => 0)
    if (status === REJECTED) {
      this.deleteValue()
      calls.newValue().then(
        (fresh) => this.storeValue(fresh),
        (error: Error) => note(error.message),
      )
    } else if (status !== 200) note(`The first-party value was answered with ${status}.`)
    return this.wait()
  }

  /**
   * Returns the stored value, or '' if neither local storage nor the cookie holds a well-formed one. Copies the value
   * to the storage that lacks it or differs; local storage takes precedence.
   */
  reconcile(): string {
    const [stored, cookie] = [wellFormed(this.ports.local.read(this.keys.local) ?? ''), wellFormed(this.cookie())]
    const value = stored || cookie
    if (value !== '' && stored !== cookie) this.storeValue(value)
    return value
  }

  private wait(): Promise<boolean> {
    const since = this.ports.now()
    return new Promise((resolve) => {
      const poll = () => {
        if (this.reconcile() !== '') return resolve(true)
        if (this.ports.now() - since >= POLL_MAX_MS) return resolve(false)
        setTimeout(poll, POLL_MS)
      }
      poll()
    })
  }

  private cookie(): string {
    const [found = ''] = withPrefix(`${this.keys.cookie}=`, this.ports.cookie.read().split('; '))
    return found.slice(this.keys.cookie.length + 1)
  }

  private storeValue(value: string): void {
    this.ports.local.write(this.keys.local, value)
    this.ports.cookie.write(formatCookie(this.keys.cookie, value, this.ports.isSecure))
  }

  private deleteValue(): void {
    this.ports.local.remove(this.keys.local)
    this.ports.cookie.write(`${this.keys.cookie}=;max-age=0;path=/`)
  }
}
