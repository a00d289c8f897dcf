const LOWEST = 1000
const HIGHEST = 99_999
const CHOICES = HIGHEST - LOWEST + 1
/**
 * Largest multiple of CHOICES up to 2^32. Random values from this limit on are drawn again, so that every number is
 * equally likely.
 */
const FAIR = Math.floor(2 ** 32 / CHOICES) * CHOICES

/**
 * Appends a random number from 1000 to 99999 to `timestamp` (CONST-09) and returns a digit string: with a timestamp in
 * ms it has up to 18 digits, more than a number holds exactly (OPEN-49).
 */
export function appendRandom(timestamp: number, random: () => number = random32): string {
  let value = random()
  while (value >= FAIR) value = random()
  return `${timestamp}${LOWEST + (value % CHOICES)}`
}

/** Nonces are single-use: the last 5,000 are remembered and never reissued. */
const RECENT_MAX = 5000
const recent = new Set<string>()

/**
 * Returns a new `nonce` of a call: the edge's time in ms and a random part. Calls of the same millisecond get different
 * ones.
 */
export function newNonce(now: number): string {
  let nonce = appendRandom(now)
  while (recent.has(nonce)) nonce = appendRandom(now)
  recent.add(nonce)
  const [oldest] = recent
  if (recent.size > RECENT_MAX && oldest !== undefined) recent.delete(oldest)
  return nonce
}

function random32(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
