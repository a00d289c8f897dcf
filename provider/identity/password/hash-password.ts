import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/**
 * scrypt parameters: 16 MB of memory (N · r · 128 bytes) and p = 5. Each hash includes its parameters, so later
 * versions can raise them.
 */
const SCRYPT_COST = { N: 2 ** 14, r: 8, p: 5 }
const HASH_BYTES = 32

interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

function deriveKey(password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

/** Returns `scrypt$N$r$p$salt$hash`. Salt and hash are base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, SCRYPT_COST)
  return [
    'scrypt',
    SCRYPT_COST.N,
    SCRYPT_COST.r,
    SCRYPT_COST.p,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$')
}

/**
 * Dummy hash for unknown email addresses, so that a check takes as long as for a known address. No password matches
 * this hash.
 */
const DUMMY_HASH = [
  'scrypt',
  SCRYPT_COST.N,
  SCRYPT_COST.r,
  SCRYPT_COST.p,
  'AAAAAAAAAAAAAAAAAAAAAA',
  'A'.repeat(43),
].join('$')

/**
 * Returns true if the password matches the hash. If `hash` is null (unknown account), takes the same time and returns
 * false.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? DUMMY_HASH).split('$')
  const key = await deriveKey(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  const stored = Buffer.from(expected, 'base64url')
  return stored.length === key.length && timingSafeEqual(stored, key) && hash !== null
}
