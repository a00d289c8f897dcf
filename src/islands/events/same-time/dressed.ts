import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './same-time.css?url'

/** The view of one moment on all cameras, with its styles, which come at the same time. */
export async function dressed() {
  const [{ SameTime }] = await Promise.all([import('./SameTime.tsx'), addStyleSheet(styles)])
  return SameTime
}
