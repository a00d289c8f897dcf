/**
 * `npm run mutants`: breaks one line at a time in a copy of the project and runs the tests that must detect it. Prints
 * a table and the share of detected mutants, and writes test-results/mutants.json. Not part of `npm test`: it takes
 * long.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BRIDGE_MUTANTS } from './bridge.ts'
import { EDGE_MUTANTS } from './edge.ts'
import { LEDGER_MUTANTS } from './ledger.ts'
import { mutate, type Mutant } from './mutant.ts'
import { PAGE_MUTANTS } from './pages.ts'
import { PEOPLE_MUTANTS } from './people.ts'
import { PRIVACY_MUTANTS } from './privacy.ts'
import { PLAN_MUTANTS } from './plans.ts'
import { PRICING_MUTANTS } from './pricing.ts'
import { PROVIDER_MUTANTS } from './provider.ts'
import { createScratchCopy, type ScratchCopy } from './scratch.ts'
import { SCREEN_MUTANTS } from './screens.ts'

const HELP = `npm run mutants -- [options]
  --only ID     run only this mutant (repeatable)
  --check       only check that every mutant's text is still in its file
  --jobs N      number of copies that run in parallel (default: 1)`

const KILLED_SHARE_MIN = 0.95
const MIN_MUTANT_COUNT = 100

interface MutantResult {
  readonly id: string
  readonly fault: string
  readonly outcome: 'killed' | 'survived' | 'broken'
  /** Killed: title of the first failed test. Survived: the test files. Broken: the problem or the broken test files. */
  readonly details: string
  readonly seconds: number
}

const root = realpathSync(fileURLToPath(new URL('../..', import.meta.url)))
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    check: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const ALL_MUTANTS: readonly Mutant[] = [
  ...PAGE_MUTANTS,
  ...EDGE_MUTANTS,
  ...PROVIDER_MUTANTS,
  ...BRIDGE_MUTANTS,
  ...LEDGER_MUTANTS,
  ...PRICING_MUTANTS,
  ...PLAN_MUTANTS,
  ...PRIVACY_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...SCREEN_MUTANTS,
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
if (values.help) console.log(HELP)
else process.exitCode = await main()

async function main(): Promise<number> {
  const chosen = values.only ? ALL_MUTANTS.filter(({ id }) => values.only?.includes(id)) : ALL_MUTANTS
  const problems = findProblems(chosen)
  for (const problem of problems) console.error(problem)
  if (values.check && problems.length === 0) console.log(`All ${chosen.length} mutants can be applied.`)
  if (values.check || problems.length > 0) return problems.length > 0 ? 1 : 0
  const scratches = Array.from({ length: Math.max(1, Number(values.jobs)) }, () => createScratchCopy(root))
  try {
    if (!(await passesWithoutMutants(scratches[0] as ScratchCopy, chosen))) return 1
    const remainingMutants = [...chosen]
    const results: MutantResult[] = []
    const work = async (scratch: ScratchCopy) => {
      for (let mutant = remainingMutants.shift(); mutant; mutant = remainingMutants.shift()) {
        const startedAt = performance.now()
        const testedMutant = await testMutant(scratch, mutant)
        const result = { ...testedMutant, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
        results.push(result)
        const { outcome, id, fault, details, seconds } = result
        console.log(`${outcome.padEnd(9)}${id.padEnd(5)}${fault} (${seconds} s)\n              ${details}`)
      }
    }
    await Promise.all(scratches.map(work))
    return reportResults(results)
  } finally {
    for (const scratch of scratches) scratch.remove()
  }
}

function findProblems(mutants: readonly Mutant[]): string[] {
  const countProblem =
    ALL_MUTANTS.length < MIN_MUTANT_COUNT
      ? [`The list has ${ALL_MUTANTS.length} mutants; ${MIN_MUTANT_COUNT} are wanted.`]
      : []
  const unknown = (values.only ?? []).filter((id) => !ALL_MUTANTS.some((mutant) => mutant.id === id))
  const duplicates = ALL_MUTANTS.filter(({ id }, at) => ALL_MUTANTS.findIndex((mutant) => mutant.id === id) !== at)
  return [
    ...countProblem,
    ...unknown.map((id) => `There is no mutant ${id}.`),
    ...duplicates.map(({ id }) => `Two mutants have the ID ${id}.`),
    ...mutants.flatMap((mutant) => {
      const mutated = existsSync(join(root, mutant.file))
        ? mutate(readFileSync(join(root, mutant.file), 'utf8'), mutant)
        : null
      const missingFiles = [...(mutated ? [] : [mutant.file]), ...mutant.tests].filter(
        (file) => !existsSync(join(root, file)),
      )
      return [
        ...(mutated && 'problem' in mutated ? [mutated.problem] : []),
        ...missingFiles.map((file) => `${mutant.id}: ${file} does not exist.`),
      ]
    }),
  ]
}

/** Returns true if the tests pass without a mutant. A test that always fails would seem to detect every mutant. */
async function passesWithoutMutants(scratch: ScratchCopy, mutants: readonly Mutant[]): Promise<boolean> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))]
  console.log(`Running ${tests.length} test files without a mutant ...`)
  const { passed, failed, broken } = await scratch.run(tests, false)
  for (const title of [...failed, ...broken]) console.error(`Fails without a mutant: ${title}`)
  return passed > 0 && failed.length + broken.length === 0
}

async function testMutant(scratch: ScratchCopy, mutant: Mutant): Promise<Omit<MutantResult, 'seconds'>> {
  const { id, fault, file, tests } = mutant
  const text = scratch.read(file)
  const mutated = mutate(text, mutant)
  if ('problem' in mutated) return { id, fault, outcome: 'broken', details: mutated.problem }
  scratch.write(file, mutated.text)
  const { passed, failed, broken } = await scratch.run(tests, true)
  scratch.write(file, text)
  const [title] = failed
  if (title !== undefined) return { id, fault, outcome: 'killed', details: title }
  // A test file could not run, or no test passed: the mutant is not a valid program, so it proves nothing.
  if (broken.length > 0 || passed === 0) return { id, fault, outcome: 'broken', details: broken.join(', ') }
  return { id, fault, outcome: 'survived', details: tests.join(', ') }
}

function reportResults(results: readonly MutantResult[]): number {
  const count = (outcome: MutantResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const share = count('killed') / results.length
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(join(root, 'test-results/mutants.json'), JSON.stringify({ share, results }, null, 2))
  console.log(
    `${count('killed')} of ${results.length} killed (${(share * 100).toFixed(1)} %), ${count('survived')} survived, ${count('broken')} broken; ${KILLED_SHARE_MIN * 100} % wanted.`,
  )
  return share >= KILLED_SHARE_MIN && count('broken') === 0 ? 0 : 1
}
