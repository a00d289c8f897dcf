import { formatBrowserName } from '../../../contract/auth/browser-name.ts'
import { toNetworkPrefix } from '../../../contract/wire/client-address.ts'
import type { ClientInfo } from './entry.ts'

export interface BrowserRequest {
  readonly ip: string
  get(header: string): string
}

export const toClientInfo = (browser: BrowserRequest): ClientInfo => ({
  device: formatBrowserName(browser.get('user-agent')),
  address: toNetworkPrefix(browser.ip),
})
