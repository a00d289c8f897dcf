import { $devices, reloadDevices } from '../home/devices.ts'
import { loadLicenseAssignments } from './license-assignments.ts'
import { reloadSubscriptions } from './subscriptions.ts'

/** Reloads devices, subscriptions and license assignments. */
export async function reloadLicenses(): Promise<void> {
  await Promise.all([reloadDevices(), reloadSubscriptions()])
  await reloadLicenseAssignments()
}

/** Reloads the license assignments of the known cameras. */
export async function reloadLicenseAssignments(): Promise<void> {
  const devices = $devices.get()
  if ('devices' in devices) await loadLicenseAssignments(devices.devices.map(({ device_id }) => device_id))
}
