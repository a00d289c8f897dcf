import type { LoggedRequest } from '../../services/logged-fetch.ts'
import { logRequests } from '../../stores/shell/action-log.ts'
import { STORAGE_KEYS, safeLocalStorage } from '../../stores/storage/storage-keys.ts'
import { whenIdle } from '../page/when-idle.ts'
import { forwardRequests } from './request-buffer.ts'
import { reportErrors, reportFailures } from './report-errors.ts'

let batch: LoggedRequest[] = []

/** Writes the page's requests to the action log in batches, and reports errors and failed requests. Call it once. */
export function recordRequests(): void {
  reportErrors()
  forwardRequests((exchange) => {
    batch.push(exchange)
    if (batch.length === 1) whenIdle(flush, 5000)
  })
  addEventListener('pagehide', flush)
}

function flush(): void {
  const exchanges = batch
  batch = []
  if (exchanges.length === 0) return
  // Another tab may have signed out meanwhile and cleared the user id; this tab then logs nothing (OPEN-114).
  if (safeLocalStorage.read(STORAGE_KEYS.userId)) logRequests(exchanges)
  reportFailures(exchanges)
}
