import type { Me } from '../../api/current-user.ts'
import { lastDayText } from '../../domain/copy/session-expiry.ts'
import { showToast } from '../../stores/shell/toasts.ts'
import { tab, TOLD_KEYS } from '../../stores/storage/storage-keys.ts'

/**
 * Announces on a session's last day, once per tab, that the session will end; activity does not extend a session
 * (OPEN-18). `now` in ms.
 */
export function showExpiryNotice({ ends }: Me, now: number): void {
  const words = ends === undefined ? null : lastDayText(ends * 1000, now)
  if (words === null || tab.read(TOLD_KEYS.ends) === String(ends)) return
  tab.write(TOLD_KEYS.ends, String(ends))
  showToast('warning', words)
}
