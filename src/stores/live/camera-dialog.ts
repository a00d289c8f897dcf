import { atom } from 'nanostores'

export const SECTIONS = ['picture', 'details', 'settings', 'sharing'] as const
export type Section = (typeof SECTIONS)[number]
export type OpenDialog =
  | { kind: 'filter' }
  | { kind: 'keys' }
  | { kind: 'layouts' }
  | { kind: 'add' }
  | { kind: 'camera'; deviceId: string; section: Section }

export const $openDialog = atom<OpenDialog | null>(null)

export const openCamera = (deviceId: string, section: Section = 'picture'): void =>
  $openDialog.set({ kind: 'camera', deviceId, section })
export const $unsaved = atom(false)

export const closeDialog = (): void => $openDialog.set(null)
