import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'
import { openCollector } from '../telemetry/device-collector.ts'

/**
 * Attaches the device session to the form of /user/login, so that the form submits the session even without a script
 * (OPEN-175).
 */
async function attachSession(): Promise<void> {
  const collector = await openCollector()
  if (collector.prepare(safeLocalStorage.read(PUBLIC_PAGE_KEYS.kountSessionId) ?? ''))
    collector.attach('sign-in', 'kount_session_id')
}

attachSession().catch(console.debug)
