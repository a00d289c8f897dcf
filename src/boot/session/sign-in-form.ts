import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'
import { openCollector } from '../telemetry/device-collector.ts'

/**
 * Adds the id of the device session to the form of /user/login as a hidden field. Submitting the form then needs no
 * script (OPEN-175).
 */
async function attachSession(): Promise<void> {
  const collector = await openCollector()
  if (collector.prepare(safeLocalStorage.read(PUBLIC_PAGE_KEYS.kountSessionId) ?? ''))
    collector.attach('sign-in', 'kount_session_id')
}

attachSession().catch(console.debug)
