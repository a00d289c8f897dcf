import { TOKEN_REFRESH_INTERVAL_MS } from '../../../contract/wire/constants.ts'
import type { Refresher } from '../../api/token-refresh.ts'
import { KEYS, local } from '../storage/storage-keys.ts'

const due = (): number => Number(local.read(KEYS.refreshDue))
const setDue = (time: number): boolean => local.write(KEYS.refreshDue, String(time))

/**
 * Refreshes the token every 30 minutes while signed in. The due time is in storage: it survives page loads, and all
 * tabs share it (OPEN-16). Calls `over` when the session has ended. Returns a function that stops the timer.
 */
export function startRefreshTimer(refresher: Pick<Refresher, 'patiently'>, over: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  if (!due()) setDue(Date.now() + TOKEN_REFRESH_INTERVAL_MS)

  const arm = () => {
    const left = Math.min(due() - Date.now(), TOKEN_REFRESH_INTERVAL_MS)
    timer = setTimeout(() => void tick(), Math.max(0, left))
  }
  const tick = async () => {
    if (due() <= Date.now()) {
      const outcome = await refresher.patiently()
      if (outcome === 'over') return over()
      setDue(Date.now() + TOKEN_REFRESH_INTERVAL_MS)
    }
    arm()
  }
  arm()
  return () => clearTimeout(timer)
}

/** Schedules the next refresh a full interval after `now`. Called when a token has arrived without the timer. */
export function postponeRefresh(now: number): void {
  setDue(now + TOKEN_REFRESH_INTERVAL_MS)
}
