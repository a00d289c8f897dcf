import { expect, test } from 'vitest'
import { verifyPassword, hashPassword } from '../../../../../provider/identity/password/hash-password.ts'

test('a password matches only its own hash, and the hash contains its parameters', async () => {
  const hash = await hashPassword('porchlight')
  expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/)
  expect(await verifyPassword('porchlight', hash)).toBe(true)
  expect(await verifyPassword('Porchlight', hash)).toBe(false)
})

test('two hashes of one password differ', async () => {
  expect(await hashPassword('porchlight')).not.toBe(await hashPassword('porchlight'))
})

test('a hash with other parameters still verifies', async () => {
  const cheap = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA$pbTnUwwBOuS-RDRymdn_BwlMKjHHSxM5eub0SPEGyBw'
  expect(await verifyPassword('porchlight', cheap)).toBe(true)
})

test('no password is accepted for an account that does not exist', async () => {
  expect(await verifyPassword('', null)).toBe(false)
})
