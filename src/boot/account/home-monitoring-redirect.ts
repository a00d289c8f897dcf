import { readConfig } from '../page/read-config.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { rememberPath } from '../page/remember-path.ts'
import { leavePage } from '../page/leave-page.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/**
 * /purchase/hms redirects to the configured product page without query and hash (OPEN-30), for signed-in and anonymous
 * visitors (OPEN-162).
 */
if (!(await handleRedirectUrl())) {
  rememberPath()
  const { hmsUrl } = await readConfig()
  if (hmsUrl) leavePage(hmsUrl)
  else showErrorScreen('down')
}
