const RANDOM_SUFFIX_MIN = 1000
const RANDOM_SUFFIX_MAX = 99_999
const RANDOM_SUFFIX_COUNT = RANDOM_SUFFIX_MAX - RANDOM_SUFFIX_MIN + 1
/**
 * Largest multiple of `RANDOM_SUFFIX_COUNT` up to 2^32. Random values from this limit on are drawn again, so that all
 * suffixes are equally likely.
 */
const UNBIASED_LIMIT = Math.floor(2 ** 32 / RANDOM_SUFFIX_COUNT) * RANDOM_SUFFIX_COUNT

/**
 * Appends a random number from 1000 to 99999 to `timestamp` (CONST-09). Returns a string, because a number cannot hold
 * 18 digits exactly (OPEN-49).
 */
export function appendRandom(timestamp: number, random: () => number = createRandom32): string {
  let value = random()
  while (value >= UNBIASED_LIMIT) value = random()
  return `${timestamp}${RANDOM_SUFFIX_MIN + (value % RANDOM_SUFFIX_COUNT)}`
}

/** Number of recent nonces that are remembered and not issued again, because a nonce is single-use. */
const RECENT_NONCES_MAX = 5000
const recentNonces = new Set<string>()

/**
 * Returns a new `nonce` for a call: the time in ms and a random suffix. Calls in the same millisecond get different
 * suffixes.
 */
export function createNonce(now: number): string {
  let nonce = appendRandom(now)
  while (recentNonces.has(nonce)) nonce = appendRandom(now)
  recentNonces.add(nonce)
  const [oldest] = recentNonces
  if (recentNonces.size > RECENT_NONCES_MAX && oldest !== undefined) recentNonces.delete(oldest)
  return nonce
}

function createRandom32(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
