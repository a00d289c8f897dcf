import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './synced-playback.css?url'

/** Returns the synced playback view after its styles have loaded. */
export async function loadSyncedPlayback() {
  const [{ SyncedPlayback: SameTime }] = await Promise.all([import('./SyncedPlayback.tsx'), addStyleSheet(styles)])
  return SameTime
}
