import { $devices, reloadDevices } from '../home/devices.ts'
import { loadBindings } from './license-assignments.ts'
import { reloadSubscriptions } from './subscriptions.ts'

/** Asks what is covered now. */
export async function loadCoverage(): Promise<void> {
  await Promise.all([reloadDevices(), reloadSubscriptions()])
  await loadBound()
}

/** Asks which plan covers each camera now, as far as the cameras are known. */
export async function loadBound(): Promise<void> {
  const devices = $devices.get()
  if ('devices' in devices) await loadBindings(devices.devices.map(({ device_id }) => device_id))
}
