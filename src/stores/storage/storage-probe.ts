import { local } from './storage-keys.ts'

/** Whether values outlive the page; asked once at start (OPEN-48). */
export function storageWorks(): boolean {
  const works = local.write('storage_probe', '1')
  local.remove('storage_probe')
  return works
}
