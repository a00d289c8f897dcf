import { map } from 'nanostores'
import { muteCamera } from './live-tiles.ts'

/** Cameras that can be heard, by device id. All are silent until somebody asks for sound. */
export const $tileSound = map<Record<string, boolean>>({})

/** Turns the sound of one camera on or off. Call it in a click: browsers let no page sound by itself. */
export function setTileSound(deviceId: string, on: boolean): void {
  muteCamera(deviceId, !on)
  $tileSound.setKey(deviceId, on)
}
