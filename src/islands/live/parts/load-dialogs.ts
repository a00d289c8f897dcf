import type { ComponentType } from 'react'
import type { LiveDialogState } from '../../../stores/live/camera-dialog.ts'
import { $playingCount } from '../../../stores/live/live-page.ts'
import { loadCameraView } from './load-camera.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../dialogs/dialogs.css?url'

type DialogsComponent = ComponentType<{ open: LiveDialogState }>

/**
 * Delay between the first frame and the prefetch, ms. The other streams have started by then, and none has upgraded to
 * a better rendition yet.
 */
const PREFETCH_DELAY_MS = 2000

/** Loads script and styles of the dialogs. Rejects on failure; the next call retries. */
export async function loadDialogs(): Promise<DialogsComponent> {
  const [module] = await Promise.all([import('../dialogs/Dialogs.tsx'), addStyleSheet(styles)])
  return module.Dialogs
}

const prefetchAll = () => void Promise.allSettled([loadCameraView(), loadDialogs()])

/**
 * Prefetches the camera view and the dialogs: loading them later would compete with video and could stall a stream.
 * Does nothing in the browser's data-saving mode. Returns a cancel function.
 */
export function prefetchDialogs(): () => void {
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
