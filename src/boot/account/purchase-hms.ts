import { readConfig } from '../page/config.ts'
import { followRedirectUrl } from '../page/follow-redirect-url.ts'
import { rememberPath } from '../page/on-load.ts'
import { leave } from '../page/page.ts'
import { showTrouble } from '../page/trouble.ts'

/** /purchase/hms leaves for the configured product page, whoever asks (OPEN-162); query and hash stay behind (OPEN-30). */
if (!(await followRedirectUrl())) {
  rememberPath()
  const { hmsUrl } = await readConfig()
  if (hmsUrl) leave(hmsUrl)
  else showTrouble('down')
}
