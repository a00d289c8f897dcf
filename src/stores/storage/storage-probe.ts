import { local } from './storage-keys.ts'

/** Returns true if stored values persist after the page is left. Checked once at start (OPEN-48). */
export function storageWorks(): boolean {
  const works = local.write('storage_probe', '1')
  local.remove('storage_probe')
  return works
}
