import { computed } from 'nanostores'
import { $devices, type Device } from '../home/devices.ts'

/**
 * Cameras of the home in the owner's order: the current list or, until it has loaded, the stored list of the last
 * visit. Empty if neither list is available.
 */
export const $eventCameras = computed($devices, (devices): readonly Device[] =>
  devices.state === 'ready' || devices.state === 'remembered' ? devices.devices : [],
)

export const $cameraNames = computed(
  $eventCameras,
  (cameras) => new Map(cameras.map(({ device_id, nickname }) => [device_id, nickname])),
)
