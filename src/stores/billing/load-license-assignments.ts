import { $devices, reloadDevices } from '../home/devices.ts'
import { loadLicenseAssignments } from './license-assignments.ts'
import { reloadSubscriptions } from './subscriptions.ts'

/** Reloads the cameras and the subscriptions, then the license assignments, because their request lists the cameras. */
export async function reloadLicenses(): Promise<void> {
  await Promise.all([reloadDevices(), reloadSubscriptions()])
  await reloadLicenseAssignments()
}

/** Reloads the license assignments of the cameras in `$devices`. Does nothing if no camera list is available. */
export async function reloadLicenseAssignments(): Promise<void> {
  const devices = $devices.get()
  if ('devices' in devices) await loadLicenseAssignments(devices.devices.map(({ device_id }) => device_id))
}
