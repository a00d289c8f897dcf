import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { EventsOverview } from '../parts/EventsOverview.tsx'
import { PhoneFilters } from './PhoneFilters.tsx'
import { PhoneStrip } from './PhoneStrip.tsx'
import styles from './timeline.css?url'

/** Returns `part` once the styles have loaded. */
async function waitForStyles<Part>(part: Part): Promise<Part> {
  await addStyleSheet(styles)
  return part
}

/** Loads the overview above the list: key figures, timeline and busy hours. */
export const loadOverview = () => waitForStyles(EventsOverview)
export const loadPhoneStrip = () => waitForStyles(PhoneStrip)
export const loadPhoneFilters = () => waitForStyles(PhoneFilters)
