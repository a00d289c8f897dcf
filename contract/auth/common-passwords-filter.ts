/**
 * The Bloom filter of common passwords (provider/identity/password/common-passwords-filter.ts): made by `scripts/common-passwords.ts`, asked
 * by the provider. 16 bits for each password and 11 of them set: of 2,000 others one is taken for a common one.
 */
export const BLOOM = { bitsEach: 16, set: 11 } as const

/** The form in which a password is looked up. */
export const comparablePassword = (password: string): string => password.normalize('NFKC').toLowerCase()

/** Numbers of the bits that stand for a password in a filter of `size` bits; `digest` is its SHA-256. */
export function bloomBits(digest: Uint8Array, size: number): number[] {
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  const [first, step] = [view.getUint32(0), view.getUint32(4) | 1]
  return Array.from({ length: BLOOM.set }, (_, n) => (first + n * (step >>> 0)) % size)
}
