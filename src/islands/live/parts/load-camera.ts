import { atom } from 'nanostores'
import type { ComponentType } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../camera/camera.css?url'

/** The view of one camera, once its script and styles are there. */
export const $view = atom<ComponentType<{ camera: Device }> | null>(null)

/** Fetches it. Rejects where that fails; asking again tries again. */
export async function loadCamera(): Promise<void> {
  if ($view.get()) return
  const [{ OneCamera }] = await Promise.all([import('../camera/CameraView.tsx'), addStyleSheet(styles)])
  $view.set(OneCamera)
}
