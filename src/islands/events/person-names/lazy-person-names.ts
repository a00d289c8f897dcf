import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { NameUndo } from './NameUndo.tsx'
import { WhoIsThis } from './WhoIsThis.tsx'
import styles from './person-names.css?url'

/** Loads the naming components with their styles. */
export const loadWhoIsThis = async () => (await addStyleSheet(styles), WhoIsThis)

export const loadNameUndo = async () => (await addStyleSheet(styles), NameUndo)
