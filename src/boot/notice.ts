import { FIRST_KEYS, local } from '../stores/box.ts'

/** The browser notice goes at once when it is dismissed, and does not come back (spec §2). */
document.querySelector('.notice button')?.addEventListener('click', () => {
  local.write(FIRST_KEYS.browserNotice, '1')
  delete document.documentElement.dataset.notice
})
