import { captureFrame } from '../../media/live/capture-frame.ts'
import type { Device } from '../home/devices.ts'
import { saveFrame } from '../shell/save-image.ts'
import { getLiveView } from './live-tiles.ts'

export const saveCameraSnapshot = ({ device_id, nickname }: Device): Promise<void> =>
  saveFrame(() => captureFrame(getLiveView(device_id)), nickname, Date.now())
