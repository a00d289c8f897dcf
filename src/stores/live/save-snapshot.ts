import { captureFrame } from '../../media/live/capture-frame.ts'
import type { Device } from '../home/devices.ts'
import { savePicture } from '../shell/save-image.ts'
import { getPicture } from './live-tiles.ts'

export const saveSnapshot = ({ device_id, nickname }: Device): Promise<void> =>
  savePicture(() => captureFrame(getPicture(device_id)), nickname, Date.now())
