import { computed } from 'nanostores'
import { $devices } from './devices.ts'

/** True once the account is known to see no camera, neither its own nor a shared one. */
export const $hasNoCamera = computed($devices, (now) => now.state === 'ready' && now.devices.length === 0)
