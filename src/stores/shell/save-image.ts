import { snapshotFileName } from '../../domain/events/download-file-names.ts'
import { saveFile } from './save-file.ts'
import { showToast } from './toasts.ts'

/**
 * Saves a frame of a camera as a file named after camera and time, and shows a toast on success or failure. `time`: ms
 * UTC.
 */
export async function saveFrame(capture: () => Promise<Blob>, camera: string, time: number): Promise<void> {
  const name = snapshotFileName(camera, time)
  try {
    saveFile(await capture(), name)
    showToast('success', `Saved as “${name}”.`)
  } catch {
    showToast('error', 'There’s nothing to save yet. Try again once the video is playing.')
  }
}
