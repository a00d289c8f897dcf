import { snapshotFileName } from '../../domain/file-names.ts'
import { captureFrame } from '../../media/capture.ts'
import type { Device } from '../home/devices.ts'
import { saveAs } from '../shell/save-as.ts'
import { showToast } from '../shell/toasts.ts'
import { pictureOf } from './live-tiles.ts'

/** Saves what the camera shows now as a file named after camera and time, and says so. */
export async function saveSnapshot({ device_id, nickname }: Device): Promise<void> {
  const name = snapshotFileName(nickname, Date.now())
  try {
    saveAs(await captureFrame(pictureOf(device_id)), name)
    showToast('success', `Saved as “${name}”.`)
  } catch {
    showToast('error', 'There is no picture to save yet. Try again once the camera plays.')
  }
}
