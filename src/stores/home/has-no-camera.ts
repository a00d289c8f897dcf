import { computed } from 'nanostores'
import { $devices } from './devices.ts'

/** True once the camera list has loaded without any camera, neither owned nor shared. */
export const $hasNoCamera = computed($devices, (now) => now.state === 'ready' && now.devices.length === 0)
