/**
 * Counts deny-listed words (scripts/lib/vocabulary.ts) per folder. Each count must equal the count in
 * scripts/vocabulary-counts.json. `--write` stores the counts if their sum has not risen. `--list PATH` prints the
 * findings in files whose paths start with PATH.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { listChangedFiles } from './lib/changes.ts'
import { compareCounts, countByFolder, getFolder, sumCounts } from './lib/vocabulary-counts.ts'
import { findInCopy } from './lib/copy-vocabulary.ts'
import { findInSource, findInMarkdown, type VocabularyFinding } from './lib/vocabulary.ts'

const root = new URL('..', import.meta.url).pathname
const countsFile = join(root, 'scripts/vocabulary-counts.json')
/**
 * Matches files that this check ignores: requirements and generated notices, because their wording is fixed; files that
 * quote the deny-list; and type declarations (`.d.ts`).
 */
const EXEMPT_FILES =
  /^docs\/(?:requirements|notices|glossary|copy)\.md$|^scripts\/lib\/vocabulary\.ts$|^tests\/scripts\/lib\/vocabulary\.test\.ts$|\.d\.ts$/

const COMMAND = 'node scripts/run.mjs scripts/check-vocabulary.ts'
const MAX_SHOWN_FINDINGS = 40

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, list: { type: 'string' } },
})
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => !EXEMPT_FILES.test(file) && existsSync(join(root, file)))
const findings = files.flatMap(readFindings)
const counts = countByFolder(findings)
const allowedCounts = v.parse(v.record(v.string(), v.number()), JSON.parse(readFileSync(countsFile, 'utf8')))
process.exitCode = main()

function main(): number {
  const { list, write } = values
  if (list !== undefined) {
    for (const finding of findings) if (finding.file.startsWith(list)) console.log(formatFinding(finding))
    return 0
  }
  const { risen, fallen } = compareCounts(counts, allowedCounts)
  const mayWrite = write && (sumCounts(counts) <= sumCounts(allowedCounts) || Object.keys(allowedCounts).length === 0)
  if (risen.length > 0 && !mayWrite) return reportRisenCounts(risen)
  if (fallen.length > 0 && !write) {
    console.error(`There are fewer denied words in ${fallen.join(', ')}. Update the stored counts: ${COMMAND} --write`)
    return 1
  }
  if (write) writeFileSync(countsFile, `${JSON.stringify(counts, null, 2)}\n`)
  console.log(`${findings.length} uses of denied words in ${Object.keys(counts).length} folders.`)
  return 0
}

/**
 * Prints findings in the folders whose counts have risen: in changed files, or in all files if the base commit is
 * unknown. Returns the exit code.
 */
function reportRisenCounts(risen: readonly string[]): number {
  const changed = listChangedFiles(root)
  for (const folder of risen)
    console.error(`${folder}: ${counts[folder]} denied words, ${allowedCounts[folder] ?? 0} allowed.`)
  const suspects = findings.filter(
    ({ file }) => risen.includes(getFolder(file)) && (changed === null || changed.includes(file)),
  )
  for (const finding of suspects.slice(0, MAX_SHOWN_FINDINGS)) console.error(formatFinding(finding))
  console.error('docs/glossary.md has the terms to use instead.')
  return 1
}

function readFindings(file: string): VocabularyFinding[] {
  const read = () => readFileSync(join(root, file), 'utf8')
  if (/\.(?:tsx?|mjs|astro|css)$/.test(file)) {
    const text = read()
    return [...findInSource(file, text), ...(file.endsWith('.css') ? [] : findInCopy(file, text))]
  }
  return file.endsWith('.md') ? findInMarkdown(file, read()) : []
}

function formatFinding({ file, line, text, reason }: VocabularyFinding): string {
  return `${file}:${line} "${text}" ${reason}`
}
