import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './clip.css?url'
import { FoldButton } from './FoldButton.tsx'
import { Stage } from './Stage.tsx'

/** Components that come later, once their styles are there or are known not to come. */

export const stage = async () => (await addStyleSheet(styles), Stage)

export const foldButton = async () => (await addStyleSheet(styles), FoldButton)
