import { atom } from 'nanostores'
import type { ComponentType } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import styles from '../camera/camera.css?url'

/** Component that shows one camera; null until its script and styles have loaded. */
export const $cameraView = atom<ComponentType<{ camera: Device }> | null>(null)

/** Loads the camera view. Rejects on failure; the next call retries. */
export async function loadCameraView(): Promise<void> {
  if ($cameraView.get()) return
  const [{ CameraView }] = await Promise.all([import('../camera/CameraView.tsx'), addStyleSheet(styles)])
  $cameraView.set(CameraView)
}
