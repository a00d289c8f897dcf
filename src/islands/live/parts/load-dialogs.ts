import type { ComponentType } from 'react'
import type { LiveDialogState } from '../../../stores/live/camera-dialog.ts'
import { $playing } from '../../../stores/live/live-page.ts'
import { loadCamera } from './load-camera.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../dialogs/dialogs.css?url'

type Dialogs = ComponentType<{ open: LiveDialogState }>

/**
 * Delay before prefetching, after the first frame, ms. By then the other streams have started, and none has upgraded to
 * a better rendition yet (`UP_MS`).
 */
const AHEAD_MS = 2000

/** Loads script and styles of the dialogs. Rejects on failure; the next call retries. */
export async function loadDialogs(): Promise<Dialogs> {
  const [module] = await Promise.all([import('../dialogs/Dialogs.tsx'), addStyleSheet(styles)])
  return module.Dialogs
}

const fetchAll = () => void Promise.allSettled([loadCamera(), loadDialogs()])

/**
 * Prefetches the camera view and the dialogs. If they loaded later, they would compete with video and could stall a
 * stream. Does nothing if the browser is set to save data. Returns a cancel function.
 */
export function fetchDialogs(): () => void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  if (connection?.saveData) return () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = $playing.subscribe((playing) => {
    if (playing > 0) timer ??= setTimeout(fetchAll, AHEAD_MS)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
