import { readConfig } from '../page/read-config.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'
import { leavePage } from '../page/leave-page.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/**
 * /purchase/hms redirects every visitor, signed in or not (OPEN-162), to the configured product page. The redirect
 * drops the query and hash of /purchase/hms (OPEN-30).
 */
if (!(await handleRedirectUrl())) {
  // Like `rememberPath`, which the chunk of larger pages contains.
  safeLocalStorage.write(PUBLIC_PAGE_KEYS.lastPath, location.pathname + location.search)
  const { hmsUrl } = await readConfig()
  if (hmsUrl) leavePage(hmsUrl)
  else showErrorScreen('down')
}
