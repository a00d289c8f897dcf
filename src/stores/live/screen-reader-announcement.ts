import { atom } from 'nanostores'

export const $announcement = atom('')
export const announce = (text: string): void => $announcement.set(text)
