import { map } from 'nanostores'
import { muteCamera } from './live-tiles.ts'

/** True for cameras with audio on, by device id. All cameras start muted. */
export const $tileAudioByCamera = map<Record<string, boolean>>({})

/**
 * Turns the audio of one camera on or off. Call it in a click handler, because browsers block audio without a user
 * gesture.
 */
export function setTileAudio(deviceId: string, isOn: boolean): void {
  muteCamera(deviceId, !isOn)
  $tileAudioByCamera.setKey(deviceId, isOn)
}
