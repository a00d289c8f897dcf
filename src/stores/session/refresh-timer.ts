import { TOKEN_REFRESH_INTERVAL_MS } from '../../../contract/wire/constants.ts'
import type { Refresher } from '../../api/token-refresh.ts'
import { STORAGE_KEYS, safeLocalStorage } from '../storage/storage-keys.ts'

const readDueTime = (): number => Number(safeLocalStorage.read(STORAGE_KEYS.refreshDue))
const writeDueTime = (time: number): boolean => safeLocalStorage.write(STORAGE_KEYS.refreshDue, String(time))

/**
 * Refreshes the token every 30 minutes; all tabs share the due time in storage (OPEN-16). Calls `onSessionEnded` when
 * the session has ended. Returns a function that stops the timer.
 */
export function startRefreshTimer(
  refresher: Pick<Refresher, 'refreshUntilReachable'>,
  onSessionEnded: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout>
  if (!readDueTime()) writeDueTime(Date.now() + TOKEN_REFRESH_INTERVAL_MS)

  const scheduleTick = () => {
    const waitMs = Math.min(readDueTime() - Date.now(), TOKEN_REFRESH_INTERVAL_MS)
    timer = setTimeout(() => void tick(), Math.max(0, waitMs))
  }
  const tick = async () => {
    if (readDueTime() <= Date.now()) {
      const outcome = await refresher.refreshUntilReachable()
      if (outcome === 'over') return onSessionEnded()
      writeDueTime(Date.now() + TOKEN_REFRESH_INTERVAL_MS)
    }
    scheduleTick()
  }
  scheduleTick()
  return () => clearTimeout(timer)
}

/**
 * Schedules the next refresh a full interval after `now` (ms UTC). Call it when a token arrives without a refresh by
 * the timer.
 */
export function postponeRefresh(now: number): void {
  writeDueTime(now + TOKEN_REFRESH_INTERVAL_MS)
}
