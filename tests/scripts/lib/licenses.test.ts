import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findDisallowedLicenses, type PackageLock } from '../../../scripts/lib/licenses.ts'

const buildLock = (licenses: Record<string, string | undefined>): PackageLock => ({
  packages: {
    '': {},
    ...Object.fromEntries(
      Object.entries(licenses).map(([name, license]) => [
        `node_modules/a/node_modules/${name}`,
        license === undefined ? {} : { license },
      ]),
    ),
  },
})

test('a package without a license, or with one that is not allowed, is reported', () => {
  const lock = buildLock({ free: 'MIT', closed: 'SEE LICENSE IN EULA', silent: undefined, strong: 'AGPL-3.0-only' })
  expect(findDisallowedLicenses(lock)).toEqual([
    { name: 'closed', licence: 'SEE LICENSE IN EULA' },
    { name: 'silent', licence: 'none' },
    { name: 'strong', licence: 'AGPL-3.0-only' },
  ])
})

test('a choice of licenses needs one that is allowed, a combination needs all', () => {
  const lock = buildLock({ either: '(GPL-3.0-only OR MIT)', both: 'MIT AND GPL-3.0-only', fine: 'Apache-2.0 AND MIT' })
  expect(findDisallowedLicenses(lock).map(({ name }) => name)).toEqual(['both'])
  const unclear = buildLock({ strong: '(MIT OR X) AND AGPL-3.0-only' })
  expect(findDisallowedLicenses(unclear).map(({ name }) => name)).toEqual(['strong'])
})

test('all dependencies of the project are allowed', () => {
  const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')) as PackageLock
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(findDisallowedLicenses(lock)).toEqual([])
})
