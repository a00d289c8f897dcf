import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { NameUndo } from './NameUndo.tsx'
import { WhoIsThis } from './WhoIsThis.tsx'
import styles from './who.css?url'

/** Components that name people, once their styles are there. */
export const whoIsThis = async () => (await addStyleSheet(styles), WhoIsThis)

export const nameUndo = async () => (await addStyleSheet(styles), NameUndo)
