import { atom } from 'nanostores'
import type { FoundCamera } from '../../../contract/cameras/camera-setup.ts'
import { sendSealedRequest } from './sealed-requests.ts'

/** State of network discovery, with the cameras found on the home's network. `words`: the reason if none were found. */
export type CameraDiscoveryState =
  { state: 'idle' | 'looking' } | { state: 'done'; cameras: readonly FoundCamera[]; words: string; at: number }

export const $cameraDiscovery = atom<CameraDiscoveryState>({ state: 'idle' })

/** Starts network discovery on the bridge, unless one is already running. */
export async function requestCameraDiscovery(): Promise<void> {
  if ($cameraDiscovery.get().state === 'looking') return
  $cameraDiscovery.set({ state: 'looking' })
  let cameras: readonly FoundCamera[] = []
  let reason = ''
  const problemText = await sendSealedRequest({ ask: 'discover' }, (answer) => {
    if (answer.answer !== 'found') return
    cameras = answer.cameras
    reason = answer.words
  })
  $cameraDiscovery.set({ state: 'done', cameras, words: problemText || reason, at: Date.now() })
}
