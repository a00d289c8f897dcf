/** Number of values of `hashBrowser`. */
const HASH_RANGE = 2 ** 32
/** Maximum of `ANALYTICS_SAMPLE`. */
export const SAMPLE_RATE_MAX = 10_000

/**
 * Returns a number from 0 to `HASH_RANGE` - 1 for the analytics id of a browser: FNV-1a with the finalizer of Murmur 3.
 * Results for different purposes are independent of each other.
 */
function hashBrowser(purpose: 'sample' | 'shard', device: string): number {
  let hash = 0x811c9dc5
  for (const char of `${purpose}\n${device}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Returns true if a browser belongs to the sample of 1 in `rate` browsers. The samples are nested: a browser in the
 * sample of a rate is also in the samples of all lower rates.
 */
export const isInSample = (device: string, rate: number): boolean =>
  rate <= 1 || hashBrowser('sample', device) < HASH_RANGE / rate

/** Returns the number, from 0 to `shards` - 1, of the shard that stores the events of a browser. */
export const getShard = (device: string, shards: number): number => hashBrowser('shard', device) % shards
