import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/**
 * scrypt parameters: 16 MB of memory (N · r · 128 bytes) and p = 5. Each hash includes its parameters, so that these
 * can be raised later.
 */
const COST = { N: 2 ** 14, r: 8, p: 5 }
const LENGTH = 32

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, LENGTH, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

/** Returns `scrypt$N$r$p$salt$hash`, salt and hash base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Dummy hash for unknown addresses, so that they take the same time as known ones. No password matches it. */
const NOBODY = ['scrypt', COST.N, COST.r, COST.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')

/** Returns true if the password matches the hash; for `null` (no such account) false after the same time. */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? NOBODY).split('$')
  const key = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  const stored = Buffer.from(expected, 'base64url')
  return stored.length === key.length && timingSafeEqual(stored, key) && hash !== null
}
