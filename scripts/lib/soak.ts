import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTests, readReports } from './reports.ts'
import { allSpecs, browserCommands } from './test-commands.ts'
import type { StepResult, TestStep } from './test-steps.ts'

/** One repetition of the browser suite. */
interface SoakRun {
  readonly date: string
  readonly seed: string
  readonly passed: number
  readonly failed: readonly string[]
  readonly flaky: readonly string[]
}

/** Results of all runs on all machines. The file is checked in, so that every run adds to the same record. */
const FILE = 'tests/soak.json'

type RunSteps = (steps: readonly TestStep[]) => Promise<{ results: StepResult[] }>

/** Repeats the browser suite with files in random order and adds the results to tests/soak.json. Returns the exit code. */
export async function runSoak(root: string, runs: number, seed: string | undefined, run: RunSteps): Promise<number> {
  let isGreen = true
  for (let n = 1; n <= runs; n += 1) {
    const own = seed ?? String(Math.floor(Math.random() * 1e9))
    console.log(`\nRun ${n} of ${runs}, seed ${own}: npm run soak -- --seed ${own}`)
    const commands = await browserCommands(root, allSpecs(root), ['--shuffle', own])
    const { results } = await run([{ name: 'browser', commands }])
    const reports = readReports(root)
    const named = (status: string) =>
      reports.filter((report) => report.status === status).map(({ file, title }) => `${file}: ${title}`)
    const result = { date: new Date().toISOString().slice(0, 10), seed: own, passed: countTests(reports).passed }
    add(root, { ...result, failed: named('failed'), flaky: named('flaky') })
    isGreen &&= results.every(({ passed }) => passed)
  }
  printSum(root)
  return isGreen ? 0 : 1
}

const read = (root: string): SoakRun[] =>
  existsSync(join(root, FILE)) ? (JSON.parse(readFileSync(join(root, FILE), 'utf8')) as SoakRun[]) : []

const add = (root: string, run: SoakRun): void =>
  writeFileSync(join(root, FILE), `${JSON.stringify([...read(root), run], null, 2)}\n`)

function printSum(root: string): void {
  const runs = read(root)
  const red = runs.filter(({ failed }) => failed.length > 0).length
  console.log(`\n${runs.length} runs in total, ${red} red. Flaky or failed so far:`)
  const counts = new Map<string, number>()
  for (const { failed, flaky } of runs)
    for (const name of [...failed, ...flaky]) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`  ${count} x ${name}`)
}
