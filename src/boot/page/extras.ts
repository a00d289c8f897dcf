import { storageWorks } from '../../stores/storage/storage-probe.ts'
import { tab, TAB_KEYS } from '../../stores/storage/storage.ts'
import { followViewport } from '../../stores/shell/viewport.ts'
import { toasts } from '../session/connected.ts'
import '../log/record-requests.ts'
import { keepScroll } from '../frame/scroll.ts'
import { showPlansButton } from '../frame/plans-button.ts'

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
