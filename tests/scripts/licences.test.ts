import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refusedLicences, type Lock } from '../../scripts/lib/licences.ts'

const lockOf = (licences: Record<string, string | undefined>): Lock => ({
  packages: {
    '': {},
    ...Object.fromEntries(
      Object.entries(licences).map(([name, license]) => [
        `node_modules/a/node_modules/${name}`,
        license === undefined ? {} : { license },
      ]),
    ),
  },
})

test('a package without a licence, or with one that is not allowed, is named', () => {
  const lock = lockOf({ free: 'MIT', closed: 'SEE LICENSE IN EULA', silent: undefined, strong: 'AGPL-3.0-only' })
  expect(refusedLicences(lock)).toEqual([
    { name: 'closed', licence: 'SEE LICENSE IN EULA' },
    { name: 'silent', licence: 'none' },
    { name: 'strong', licence: 'AGPL-3.0-only' },
  ])
})

test('of a choice one is enough, of several together all are needed', () => {
  const lock = lockOf({ either: '(GPL-3.0-only OR MIT)', both: 'MIT AND GPL-3.0-only', fine: 'Apache-2.0 AND MIT' })
  expect(refusedLicences(lock).map(({ name }) => name)).toEqual(['both'])
  const unclear = lockOf({ strong: '(MIT OR X) AND AGPL-3.0-only' })
  expect(refusedLicences(unclear).map(({ name }) => name)).toEqual(['strong'])
})

test('what the project brings in is allowed', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(refusedLicences(lock)).toEqual([])
})
