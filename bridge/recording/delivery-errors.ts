import { ProviderError } from '../uplink/provider-client.ts'

/** A recording that the provider refuses for so long (a removed camera, for instance) will never be taken. */
const PATIENCE_MS = 7 * 86_400_000

/**
 * What a failed delivery means: nothing can be delivered now (`stop`), this one has to wait while others go on (`wait`), it
 * will be refused until something changes at the provider, so that asking often is of no use (`later`), or it will never
 * be taken (`refuse`). `age` of the recording in ms.
 */
export function classifyDeliveryError(error: unknown, age: number): 'stop' | 'wait' | 'later' | 'refuse' {
  // The scene is gone; a RangeError with a code would be Node's own.
  if (error instanceof RangeError && !('code' in error)) return 'refuse'
  if (!(error instanceof ProviderError)) return 'wait'
  if (!error.temporary) return 'refuse'
  const unwanted = error.status === 403 || error.status === 404 || error.status === 410
  if (!unwanted && error.status !== 409) return 'stop'
  if (age > PATIENCE_MS) return 'refuse'
  return unwanted ? 'later' : 'wait'
}
