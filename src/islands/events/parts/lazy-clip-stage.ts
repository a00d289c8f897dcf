import { syncOpenEvent } from '../../../stores/events/open-clip.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './clip.css?url'
import { FoldButton } from './GroupToggle.tsx'
import { ClipStage } from './ClipStage.tsx'

/**
 * On its first call, subscribes to the open event: from then on, a click requests the clip before the stage renders.
 */
let watchOnce = () => {
  watchOnce = () => undefined
  syncOpenEvent()
}

export const stage = async () => (await addStyleSheet(styles), watchOnce(), ClipStage)

export const foldButton = async () => (await addStyleSheet(styles), FoldButton)
