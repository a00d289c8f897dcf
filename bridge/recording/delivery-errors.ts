import { ProviderError } from '../uplink/provider-client.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/**
 * Age above which the bridge gives up a rejected recording, ms. The provider rejects a recording, for example, if its
 * camera was removed.
 */
const GIVE_UP_AFTER_MS = 7 * DAY_MS

/**
 * Returns the reaction to a failed delivery. `stop`: retry all recordings later; `wait`: retry only this recording,
 * with backoff; `later`: retry it after a long delay or a reconnect; `refuse`: never retry it. `age`: age of the
 * recording, ms.
 */
export function classifyDeliveryError(error: unknown, age: number): 'stop' | 'wait' | 'later' | 'refuse' {
  // This RangeError means that the recording's scene no longer exists; a RangeError with a code comes from Node and is
  // handled below.
  if (error instanceof RangeError && !('code' in error)) return 'refuse'
  if (!(error instanceof ProviderError)) return 'wait'
  if (!error.isTemporary) return 'refuse'
  const isRejected = error.status === 403 || error.status === 404 || error.status === 410
  if (!isRejected && error.status !== 409) return 'stop'
  if (age > GIVE_UP_AFTER_MS) return 'refuse'
  return isRejected ? 'later' : 'wait'
}
