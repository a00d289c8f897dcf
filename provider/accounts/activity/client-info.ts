import { deviceOf } from '../../../contract/auth/browser-name.ts'
import { networkOf } from '../../../contract/wire/client-address.ts'
import type { Origin } from './entry.ts'

/** The request of a browser, as middleware of the identity server has it. */
export interface Browser {
  readonly ip: string
  get(header: string): string
}

/** What is kept of where a request came from. */
export const originOf = (browser: Browser): Origin => ({
  device: deviceOf(browser.get('user-agent')),
  address: networkOf(browser.ip),
})
