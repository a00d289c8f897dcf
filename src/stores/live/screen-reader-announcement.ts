import { atom } from 'nanostores'

/** Next screen reader announcement; '' for none. */
export const $said = atom('')
export const announce = (text: string): void => $said.set(text)
