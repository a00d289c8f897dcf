import { closeLiveDialog } from '../../../stores/live/camera-dialog.ts'
import { closeSingleCamera } from '../../../stores/live/live-layout.ts'
import { $playingCount } from '../../../stores/live/live-page.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import cameraStyles from '../camera/camera.css?url'
import dialogStyles from '../dialogs/dialogs.css?url'

const showLoadFailure = () => showToast('error', 'Part of this page didn’t load. Check your connection and try again.')

export const LazyCameraView = createDeferredComponent(
  async () => (await import('../camera/CameraView.tsx')).CameraView,
  {
    styles: cameraStyles,
    onFail: () => {
      closeSingleCamera()
      showLoadFailure()
    },
  },
)

export const LazyDialogs = createDeferredComponent(async () => (await import('../dialogs/Dialogs.tsx')).Dialogs, {
  styles: dialogStyles,
  onFail: () => {
    closeLiveDialog()
    showLoadFailure()
  },
})

/**
 * Delay between the first frame and the prefetch, ms. The other streams have started by then, and none has upgraded to
 * a better rendition yet.
 */
const PREFETCH_DELAY_MS = 2000

const prefetchAll = () => void Promise.allSettled([LazyCameraView.preload(), LazyDialogs.preload()])

/**
 * Prefetches the camera view and the dialogs: loading them later would compete with video and could stall a stream.
 * Does nothing in the browser's data-saving mode. Returns a cancel function.
 */
export function prefetchViews(): () => void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  if (connection?.saveData) return () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = $playingCount.subscribe((playing) => {
    if (playing > 0) timer ??= setTimeout(prefetchAll, PREFETCH_DELAY_MS)
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
