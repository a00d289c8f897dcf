import { syncOpenEvent } from '../../../stores/events/open-clip.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './clip.css?url'
import { FoldButton } from './GroupToggle.tsx'
import { Stage } from './ClipStage.tsx'

/** Components that come later, once their styles are there. */

/** From now on clips are asked for with the click, before the stage is drawn. */
let watchOnce = () => {
  watchOnce = () => undefined
  syncOpenEvent()
}

export const stage = async () => (await addStyleSheet(styles), watchOnce(), Stage)

export const foldButton = async () => (await addStyleSheet(styles), FoldButton)
