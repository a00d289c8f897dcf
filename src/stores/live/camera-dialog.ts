import { atom } from 'nanostores'

export const CAMERA_DIALOG_SECTIONS = ['picture', 'details', 'settings', 'sharing'] as const
export type CameraDialogSection = (typeof CAMERA_DIALOG_SECTIONS)[number]
export type LiveDialogState =
  | { kind: 'filter' }
  | { kind: 'keys' }
  | { kind: 'layouts' }
  | { kind: 'add' }
  | { kind: 'camera'; deviceId: string; section: CameraDialogSection }

export const $openDialog = atom<LiveDialogState | null>(null)

export const openCameraDialog = (deviceId: string, section: CameraDialogSection = 'picture'): void =>
  $openDialog.set({ kind: 'camera', deviceId, section })
export const $hasUnsavedChanges = atom(false)

export const closeLiveDialog = (): void => $openDialog.set(null)
