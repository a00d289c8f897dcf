import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { Overview } from '../parts/EventsOverview.tsx'
import { PhoneFilters } from './PhoneFilters.tsx'
import { PhoneStrip } from './PhoneStrip.tsx'
import styles from './timeline.css?url'

/** A part once its styles are there, which come with its script. */
async function dressed<Part>(part: Part): Promise<Part> {
  await addStyleSheet(styles)
  return part
}

/** The list in numbers, in time and by hours. */
export const overview = () => dressed(Overview)
/** One camera's strip above the list of a phone. */
export const phoneStrip = () => dressed(PhoneStrip)
/** The filters of a phone. */
export const phoneFilters = () => dressed(PhoneFilters)
