import { atom } from 'nanostores'

export const SECTIONS = ['picture', 'details', 'settings', 'sharing'] as const
export type Section = (typeof SECTIONS)[number]
export type OpenDialog =
  | { kind: 'filter' }
  | { kind: 'keys' }
  | { kind: 'layouts' }
  | { kind: 'add' }
  | { kind: 'camera'; deviceId: string; section: Section }

/** The dialog of the cameras page that is open; null: none. */
export const $openDialog = atom<OpenDialog | null>(null)

export const openCamera = (deviceId: string, section: Section = 'picture'): void =>
  $openDialog.set({ kind: 'camera', deviceId, section })
/** Whether something of the open dialog was changed and is not saved. */
export const $unsaved = atom(false)

export const closeDialog = (): void => $openDialog.set(null)
