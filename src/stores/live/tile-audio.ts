import { map } from 'nanostores'
import { muteCamera } from './live-tiles.ts'

/** Cameras with sound on, by device id. All start muted. */
export const $tileSound = map<Record<string, boolean>>({})

/**
 * Turns the sound of one camera on or off. Call it in a click handler: browsers block sound that a page starts
 * automatically.
 */
export function setTileSound(deviceId: string, on: boolean): void {
  muteCamera(deviceId, !on)
  $tileSound.setKey(deviceId, on)
}
