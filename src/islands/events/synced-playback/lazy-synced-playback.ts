import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './synced-playback.css?url'

/** The view of one moment on all cameras, with its styles, which come at the same time. */
export async function dressed() {
  const [{ SameTime }] = await Promise.all([import('./SyncedPlayback.tsx'), addStyleSheet(styles)])
  return SameTime
}
