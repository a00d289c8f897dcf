import type { CurrentUser } from '../../api/current-user.ts'
import { sessionExpiryText } from '../../domain/copy/session-expiry.ts'
import { showToast } from '../../stores/shell/toasts.ts'
import { safeSessionStorage, NOTICE_KEYS } from '../../stores/storage/storage-keys.ts'

/**
 * Shows a toast on the last day of a session, once per tab. Activity does not extend the absolute lifetime of a
 * session, so active users need this warning too (OPEN-18). `now` in ms UTC.
 */
export function showExpiryNotice({ ends }: CurrentUser, now: number): void {
  const text = ends === undefined ? null : sessionExpiryText(ends * 1000, now)
  if (text === null || safeSessionStorage.read(NOTICE_KEYS.ends) === String(ends)) return
  safeSessionStorage.write(NOTICE_KEYS.ends, String(ends))
  showToast('warning', text)
}
