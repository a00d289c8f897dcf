import type { ComponentType } from 'react'
import type { OpenDialog } from '../../../stores/live/camera-dialog.ts'
import { $playing } from '../../../stores/live/live-page.ts'
import { loadCamera } from './load-camera.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../dialogs/dialogs.css?url'

type Dialogs = ComponentType<{ open: OpenDialog }>

/** After the first picture, ms: the others have had their start, and none of them has become better yet (`UP_MS`). */
const AHEAD_MS = 2000

/** Script and styles of the dialogs. Rejects where they cannot be fetched; asking again tries again. */
export async function loadDialogs(): Promise<Dialogs> {
  const [module] = await Promise.all([import('../dialogs/Dialogs.tsx'), addStyleSheet(styles)])
  return module.Dialogs
}

const fetchAll = () => void Promise.allSettled([loadCamera(), loadDialogs()])

/**
 * Fetches the view of one camera and the dialogs before somebody opens one: on a link that pictures fill, their script would take the room of a
 * picture, which would stand still for it. Not where the visitor saves data.
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
