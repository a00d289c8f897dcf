import { storageWorks } from '../stores/storage-probe.ts'
import { tab, TAB_KEYS } from '../stores/storage.ts'
import { followViewport } from '../stores/viewport.ts'
import { toasts } from './connected.ts'
import './record-requests.ts'
import { keepScroll } from './scroll.ts'
import { showPlansButton } from './plans-button.ts'

/** Catalogue code of a browser without storage (OPEN-48). */
const NO_STORAGE = '1002'

/** What the content of a protected page does not wait for. */
followViewport()
keepScroll()
const { toastFailure } = await toasts()
if (!storageWorks() && !tab.read(TAB_KEYS.storageTold)) {
  tab.write(TAB_KEYS.storageTold, '1')
  toastFailure(NO_STORAGE, 0)
}
await showPlansButton()
