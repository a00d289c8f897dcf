import { CollectorCalls } from '../../services/fraud-collector/calls.ts'
import { readyOf } from '../../services/fraud-collector/rules.ts'
import { collectorConfig } from './collector-config.ts'

/**
 * Tells the host of the device collector of a session whose page leaves for the sign-in. Which session it follows is said by the
 * next page that stays.
 */
export async function tellSession(sessionID: string): Promise<void> {
  const ready = readyOf(await collectorConfig(), sessionID)
  if (typeof ready === 'string') return
  await new CollectorCalls(ready, crypto.randomUUID(), (...asked) => fetch(...asked)).tellSession('')
}
