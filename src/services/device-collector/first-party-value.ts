import { FIRST_PARTY_VALUE } from '../../../contract/telemetry/device-collector.ts'
import { withPrefix } from './with-prefix.ts'
import type { CollectorCalls } from './collector-calls.ts'
import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'

const YEAR_S = 365 * 86_400
const POLL_MS = 10
const POLL_MAX_MS = 2000
const REJECTED = 500

/** The cookie that holds the value for a year; readable from the collector's frame only where the page is secure. */
export const formatCookie = (name: string, value: string, isSecure: boolean): string =>
  `${name}=${value};max-age=${YEAR_S};path=/;${isSecure ? 'SameSite=None;Secure' : 'SameSite=Lax'}`

const wellFormed = (value: string): string => (FIRST_PARTY_VALUE.test(value) ? value : '')

/** The first-party value of this browser, in a cookie and in local storage. */
export class FirstParty {
  private readonly ports: CollectorPorts
  private readonly keys: CollectorKeys

  constructor(ports: CollectorPorts, keys: CollectorKeys) {
    this.ports = ports
    this.keys = keys
  }

  /**
   * Brings the value in order: where there is none, or the host refuses it, another is asked for. Answers whether there is
   * one that can be used, within two seconds after it was asked for (OPEN-150). `note` hears what goes wrong.
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

  /** The value that counts, copied to where it is missing or another; '' where there is none, or none that could be ours. */
  reconcile(): string {
    const [stored, cookie] = [wellFormed(this.ports.local.read(this.keys.local) ?? ''), wellFormed(this.cookie())]
    const value = stored || cookie
    if (value !== '' && stored !== cookie) this.storeValue(value)
    return value
  }

  /** Looks every 10 ms, for 2 s at most. */
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
