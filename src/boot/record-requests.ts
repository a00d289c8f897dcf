import type { Exchange } from '../services/logged-fetch.ts'
import { logExchanges } from '../stores/action-log.ts'
import { reportFailures } from './report-errors.ts'

/** What is done with the requests of this page once there is time. */
export function recordRequests(exchanges: readonly Exchange[]): void {
  logExchanges(exchanges)
  reportFailures(exchanges)
}
