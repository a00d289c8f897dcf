import { readConfig } from '../page/read-config.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { rememberPath } from '../page/remember-path.ts'
import { leave } from '../page/leave-page.ts'
import { showTrouble } from '../page/error-screen.ts'

/**
 * /purchase/hms leaves for the configured product page, signed in or not (OPEN-162), without query and hash (OPEN-30).
 */
if (!(await handleRedirectUrl())) {
  rememberPath()
  const { hmsUrl } = await readConfig()
  if (hmsUrl) leave(hmsUrl)
  else showTrouble('down')
}
