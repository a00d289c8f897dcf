import { readConfig } from '../page/config.ts'
import { leave } from '../page/page.ts'
import { showTrouble } from '../page/trouble.ts'

/** /purchase/hms leaves for the configured product page; query and hash stay behind (OPEN-30). */
const config = readConfig()

addEventListener('porchlight:session', () => {
  void config.then(({ hmsUrl }) => (hmsUrl ? leave(hmsUrl) : showTrouble('down')))
})
