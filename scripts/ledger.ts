/**
 * `npm run ledger`: prints for each area how many requirement rows the last test run proved, and the ids of the
 * unproven rows.
 */
import { readFileSync } from 'node:fs'
import { countByArea, parseRequirementRows, collectProofs } from './lib/ledger.ts'
import { readReports } from './lib/reports.ts'

const root = new URL('..', import.meta.url).pathname
const requirementRows = parseRequirementRows(readFileSync(`${root}docs/requirements.md`, 'utf8'))
const results = readReports(root)
  .filter(({ status }) => status !== 'skipped')
  .map((report) => ({ ...report, passed: report.status !== 'failed' }))
const proof = collectProofs(requirementRows, results)

for (const [area, { proven, all }] of countByArea(requirementRows, proof)) {
  const open = proof.open.filter((row) => row.area === area).map((row) => row.id.slice(area.length + 1))
  console.log(
    `${area.padEnd(11)} ${String(proven).padStart(3)} of ${String(all).padStart(3)}${open.length > 0 ? `   open: ${open.join(' ')}` : ''}`,
  )
}
console.log(
  `\n${proof.proven.length} of ${requirementRows.length} rows proven by ${results.filter(({ passed }) => passed).length} passed tests.`,
)
if (results.length === 0) console.log('No test report was found. Run npm test first.')
for (const title of proof.refused) console.log(`Not counted (more than 3 IDs, or an unrecognized ID): ${title}`)
process.exit(proof.refused.length > 0 ? 1 : 0)
