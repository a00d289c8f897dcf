/**
 * Bloom filter of common passwords. `bitsEach`: size of the filter in bits per password; `set`: number of bits that
 * each password sets. For 1 in 2,000 passwords outside the list, the lookup is a false positive.
 * `scripts/common-passwords.ts` creates the filter.
 */
export const BLOOM_FILTER = { bitsEach: 16, set: 11 } as const

/** Normalizes a password for a lookup in the filter. */
export const normalizePassword = (password: string): string => password.normalize('NFKC').toLowerCase()

/** Returns the bit indexes of a password in a filter of `size` bits. `digest`: SHA-256 of the normalized password. */
export function computeBloomBits(digest: Uint8Array, size: number): number[] {
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  const [first, step] = [view.getUint32(0), view.getUint32(4) | 1]
  return Array.from({ length: BLOOM_FILTER.set }, (_, n) => (first + n * (step >>> 0)) % size)
}
