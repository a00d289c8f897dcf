import { computed } from 'nanostores'
import { $devices, type Device } from '../home/devices.ts'

/** The cameras of the home in the owner's order; empty while they are not known. */
export const $cameras = computed($devices, (devices): readonly Device[] =>
  devices.state === 'ready' || devices.state === 'remembered' ? devices.devices : [],
)

/** Name of each camera by its id. */
export const $cameraNames = computed(
  $cameras,
  (cameras) => new Map(cameras.map(({ device_id, nickname }) => [device_id, nickname])),
)
