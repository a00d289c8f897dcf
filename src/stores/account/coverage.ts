import { $devices, loadDevices } from '../home/devices.ts'
import { loadBindings } from './services.ts'
import { reloadSubscriptions } from './subscriptions.ts'

/** Asks what is covered now. */
export async function loadCoverage(): Promise<void> {
  await Promise.all([loadDevices(), reloadSubscriptions()])
  const devices = $devices.get()
  if ('devices' in devices) await loadBindings(devices.devices.map(({ device_id }) => device_id))
}
