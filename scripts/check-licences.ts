/** Part of `npm run check`: every package of package-lock.json comes under a licence that is allowed. */
import { readFileSync } from 'node:fs'
import { refusedLicences, type Lock } from './lib/licences.ts'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock
const refused = refusedLicences(lock)
for (const { name, licence } of refused)
  console.log(`${name} comes under ${licence}. Take another package, or allow the licence in scripts/lib/licences.ts.`)
process.exit(refused.length > 0 ? 1 : 0)
