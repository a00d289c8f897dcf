import { atom } from 'nanostores'
import type { FoundCamera } from '../../../contract/cameras/camera-setup.ts'
import { sendSealedRequest } from './sealed-requests.ts'

/** What answered in the home's network. `words`: why nothing did. */
export type Around =
  { state: 'idle' | 'looking' } | { state: 'done'; cameras: readonly FoundCamera[]; words: string; at: number }

export const $around = atom<Around>({ state: 'idle' })

/** Has the bridge look for cameras in its network; one look at a time. */
export async function discoverCameras(): Promise<void> {
  if ($around.get().state === 'looking') return
  $around.set({ state: 'looking' })
  let cameras: readonly FoundCamera[] = []
  let reason = ''
  const words = await sendSealedRequest({ ask: 'discover' }, (answer) => {
    if (answer.answer !== 'found') return
    cameras = answer.cameras
    reason = answer.words
  })
  $around.set({ state: 'done', cameras, words: words || reason, at: Date.now() })
}
