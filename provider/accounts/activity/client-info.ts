import { formatBrowserName } from '../../../contract/auth/browser-name.ts'
import { toNetworkPrefix } from '../../../contract/wire/client-address.ts'
import type { Origin } from './entry.ts'

/** The request of a browser, as middleware of the identity server has it. */
export interface Browser {
  readonly ip: string
  get(header: string): string
}

/** What is kept of where a request came from. */
export const toClientInfo = (browser: Browser): Origin => ({
  device: formatBrowserName(browser.get('user-agent')),
  address: toNetworkPrefix(browser.ip),
})
