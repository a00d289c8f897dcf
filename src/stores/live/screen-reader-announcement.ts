import { atom } from 'nanostores'

/** Next screen reader announcement; '' for none. */
export const $announcement = atom('')
export const announce = (text: string): void => $announcement.set(text)
