import { followOpenEvent } from '../../../stores/events/clip.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './clip.css?url'
import { FoldButton } from './FoldButton.tsx'
import { Stage } from './Stage.tsx'

/** Components that come later, once their styles are there. */

/** From now on clips are asked for with the click, before the stage is drawn. */
let follow = () => {
  follow = () => undefined
  followOpenEvent()
}

export const stage = async () => (await addStyleSheet(styles), follow(), Stage)

export const foldButton = async () => (await addStyleSheet(styles), FoldButton)
