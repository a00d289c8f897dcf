import { local } from './storage-keys.ts'

/** Returns true if values outlive the page; checked once at start (OPEN-48). */
export function storageWorks(): boolean {
  const works = local.write('storage_probe', '1')
  local.remove('storage_probe')
  return works
}
