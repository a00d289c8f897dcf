import { $devices, reloadDevices } from '../home/devices.ts'
import { loadBindings } from './license-assignments.ts'
import { reloadSubscriptions } from './subscriptions.ts'

/** Reloads devices, subscriptions and license assignments. */
export async function loadCoverage(): Promise<void> {
  await Promise.all([reloadDevices(), reloadSubscriptions()])
  await loadBound()
}

/** Reloads the license assignments of the known cameras. */
export async function loadBound(): Promise<void> {
  const devices = $devices.get()
  if ('devices' in devices) await loadBindings(devices.devices.map(({ device_id }) => device_id))
}
