import type { CurrentUser } from '../../api/current-user.ts'
import { sessionExpiryText } from '../../domain/copy/session-expiry.ts'
import { showToast } from '../../stores/shell/toasts.ts'
import { safeSessionStorage, NOTICE_KEYS } from '../../stores/storage/storage-keys.ts'

/**
 * Shows a toast on a session's last day, once per tab: activity does not extend the absolute lifetime of a session
 * (OPEN-18). `now` in ms.
 */
export function showExpiryNotice({ ends }: CurrentUser, now: number): void {
  const words = ends === undefined ? null : sessionExpiryText(ends * 1000, now)
  if (words === null || safeSessionStorage.read(NOTICE_KEYS.ends) === String(ends)) return
  safeSessionStorage.write(NOTICE_KEYS.ends, String(ends))
  showToast('warning', words)
}
