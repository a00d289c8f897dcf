import { readConfig } from '../page/read-config.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { rememberPath } from '../page/remember-path.ts'
import { leavePage } from '../page/leave-page.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/**
 * /purchase/hms redirects every visitor, signed in or not (OPEN-162), to the configured product page. The redirect
 * drops the query and hash of /purchase/hms (OPEN-30).
 */
if (!(await handleRedirectUrl())) {
  rememberPath()
  const { hmsUrl } = await readConfig()
  if (hmsUrl) leavePage(hmsUrl)
  else showErrorScreen('down')
}
