import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { EventsOverview } from '../parts/EventsOverview.tsx'
import { PhoneFilters } from './PhoneFilters.tsx'
import { PhoneStrip } from './PhoneStrip.tsx'
import styles from './timeline.css?url'

/** Returns `part` once the styles have loaded. */
async function dressed<Part>(part: Part): Promise<Part> {
  await addStyleSheet(styles)
  return part
}

/** Summary above the list: totals, timeline and hours. */
export const overview = () => dressed(EventsOverview)
export const phoneStrip = () => dressed(PhoneStrip)
export const phoneFilters = () => dressed(PhoneFilters)
