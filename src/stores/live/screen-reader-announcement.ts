import { atom } from 'nanostores'

/** What a screen reader is told next, '' for nothing. */
export const $said = atom('')
export const announce = (text: string): void => $said.set(text)
