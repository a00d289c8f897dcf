/** Part of `npm run check`: rejects packages of package-lock.json whose license is missing or not allowed. */
import { readFileSync } from 'node:fs'
import { findDisallowedLicenses, type PackageLock } from './lib/licenses.ts'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as PackageLock
const disallowed = findDisallowedLicenses(lock)
for (const { name, licence: license } of disallowed)
  console.log(
    `${name} is licensed under ${license}. Use another package, or allow the license in scripts/lib/licenses.ts.`,
  )
process.exit(disallowed.length > 0 ? 1 : 0)
