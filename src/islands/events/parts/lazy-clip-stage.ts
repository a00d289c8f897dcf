import { syncOpenEvent } from '../../../stores/events/open-clip.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from './clip.css?url'
import { GroupToggle } from './GroupToggle.tsx'
import { ClipStage } from './ClipStage.tsx'

/** Starts `syncOpenEvent` once. From then on, a click on an event requests its clip before the stage renders. */
let syncOpenEventOnce = () => {
  syncOpenEventOnce = () => undefined
  syncOpenEvent()
}

export const loadClipStage = async () => (await addStyleSheet(styles), syncOpenEventOnce(), ClipStage)

export const loadGroupToggle = async () => (await addStyleSheet(styles), GroupToggle)
