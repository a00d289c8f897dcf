/**
 * `npm run mutants`: breaks one line at a time in a copy of the project and runs the tests that must detect it. Prints
 * a table and the share detected, and writes test-results/mutants.json. Not part of `npm test`: it takes long.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BRIDGE } from './bridge.ts'
import { EDGE } from './edge.ts'
import { LEDGER } from './ledger.ts'
import { mutate, type Mutant } from './mutant.ts'
import { PAGES } from './pages.ts'
import { PEOPLE } from './people.ts'
import { PERSONS } from './persons.ts'
import { PLANS } from './plans.ts'
import { PRICING } from './pricing.ts'
import { PROVIDER } from './provider.ts'
import { makeScratch, type Scratch } from './scratch.ts'
import { SHOWN } from './screens.ts'

const HELP = `npm run mutants -- [options]
  --only ID     only this one (again for more)
  --check       only look whether every text that is replaced is still there
  --jobs N      copies that run at the same time (1)`

/** Share of mutants that the tests must detect. */
const GOAL = 0.95
/** Minimum number of mutants in the list. */
const LEAST = 100

interface Result {
  readonly id: string
  readonly says: string
  readonly outcome: 'killed' | 'survived' | 'broken'
  /** Title of the first failed test; else the test files of a survivor, or the reason why the mutant is broken. */
  readonly by: string
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
const all: readonly Mutant[] = [
  ...PAGES,
  ...EDGE,
  ...PROVIDER,
  ...BRIDGE,
  ...LEDGER,
  ...PRICING,
  ...PLANS,
  ...PERSONS,
  ...PEOPLE,
  ...SHOWN,
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
if (values.help) console.log(HELP)
else process.exitCode = await main()

async function main(): Promise<number> {
  const chosen = values.only ? all.filter(({ id }) => values.only?.includes(id)) : all
  const problems = findProblems(chosen)
  for (const problem of problems) console.error(problem)
  if (values.check && problems.length === 0) console.log(`All ${chosen.length} mutants can be made.`)
  if (values.check || problems.length > 0) return problems.length > 0 ? 1 : 0
  const scratches = Array.from({ length: Math.max(1, Number(values.jobs)) }, () => makeScratch(root))
  try {
    if (!(await isGreen(scratches[0] as Scratch, chosen))) return 1
    const left = [...chosen]
    const results: Result[] = []
    const work = async (scratch: Scratch) => {
      for (let mutant = left.shift(); mutant; mutant = left.shift()) {
        const began = performance.now()
        const became = await tryOut(scratch, mutant)
        const result = { ...became, seconds: Math.round((performance.now() - began) / 100) / 10 }
        results.push(result)
        const { outcome, id, says, by, seconds } = result
        console.log(`${outcome.padEnd(9)}${id.padEnd(5)}${says} (${seconds} s)\n              ${by}`)
      }
    }
    await Promise.all(scratches.map(work))
    return conclude(results)
  } finally {
    for (const scratch of scratches) scratch.remove()
  }
}

function findProblems(mutants: readonly Mutant[]): string[] {
  const few = all.length < LEAST ? [`The list has ${all.length} mutants; ${LEAST} are wanted.`] : []
  const unknown = (values.only ?? []).filter((id) => !all.some((mutant) => mutant.id === id))
  const twice = all.filter(({ id }, at) => all.findIndex((mutant) => mutant.id === id) !== at)
  return [
    ...few,
    ...unknown.map((id) => `There is no mutant ${id}.`),
    ...twice.map(({ id }) => `${id} is the name of two mutants.`),
    ...mutants.flatMap((mutant) => {
      const made = existsSync(join(root, mutant.file))
        ? mutate(readFileSync(join(root, mutant.file), 'utf8'), mutant)
        : null
      const absent = [...(made ? [] : [mutant.file]), ...mutant.tests].filter((file) => !existsSync(join(root, file)))
      return [
        ...(made && 'problem' in made ? [made.problem] : []),
        ...absent.map((file) => `${mutant.id}: ${file} is not there.`),
      ]
    }),
  ]
}

/** Returns true if the tests pass without a mutant: a failing test would detect every mutant. */
async function isGreen(scratch: Scratch, mutants: readonly Mutant[]): Promise<boolean> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))]
  console.log(`Running ${tests.length} test files without a mutant ...`)
  const { passed, failed, broken } = await scratch.run(tests, false)
  for (const title of [...failed, ...broken]) console.error(`Fails without a mutant: ${title}`)
  return passed > 0 && failed.length + broken.length === 0
}

async function tryOut(scratch: Scratch, mutant: Mutant): Promise<Omit<Result, 'seconds'>> {
  const { id, says, file, tests } = mutant
  const text = scratch.read(file)
  const made = mutate(text, mutant)
  if ('problem' in made) return { id, says, outcome: 'broken', by: made.problem }
  scratch.write(file, made.text)
  const { passed, failed, broken } = await scratch.run(tests, true)
  scratch.write(file, text)
  const [title] = failed
  if (title !== undefined) return { id, says, outcome: 'killed', by: title }
  // A test file could not run, or no test passed: the mutant is not a valid program, so it proves nothing.
  if (broken.length > 0 || passed === 0) return { id, says, outcome: 'broken', by: broken.join(', ') }
  return { id, says, outcome: 'survived', by: tests.join(', ') }
}

function conclude(results: readonly Result[]): number {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  const share = count('killed') / results.length
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(join(root, 'test-results/mutants.json'), JSON.stringify({ share, results }, null, 2))
  console.log(
    `${count('killed')} of ${results.length} killed (${(share * 100).toFixed(1)} %), ${count('survived')} survived, ${count('broken')} broken; ${GOAL * 100} % wanted.`,
  )
  return share >= GOAL && count('broken') === 0 ? 0 : 1
}
