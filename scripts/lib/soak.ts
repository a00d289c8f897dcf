import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTests, readReports } from './reports.ts'
import { listSpecs, createBrowserCommands } from './test-commands.ts'
import type { StepResult, TestStep } from './test-steps.ts'

interface SoakRun {
  readonly date: string
  readonly seed: string
  readonly passed: number
  readonly failed: readonly string[]
  readonly flaky: readonly string[]
}

const SOAK_FILE = 'tests/soak.json'

type RunSteps = (steps: readonly TestStep[]) => Promise<{ results: StepResult[] }>

/**
 * Repeats the browser suite with files in random order and adds the results to tests/soak.json. Returns the exit code.
 */
export async function runSoak(
  root: string,
  runs: number,
  seed: string | undefined,
  runSteps: RunSteps,
): Promise<number> {
  let hasPassed = true
  for (let n = 1; n <= runs; n += 1) {
    const runSeed = seed ?? String(Math.floor(Math.random() * 1e9))
    console.log(`\nRun ${n} of ${runs}, seed ${runSeed}: npm run soak -- --seed ${runSeed}`)
    const commands = await createBrowserCommands(root, listSpecs(root), ['--shuffle', runSeed])
    const { results } = await runSteps([{ name: 'browser', commands }])
    const reports = readReports(root)
    const listTests = (status: string) =>
      reports.filter((report) => report.status === status).map(({ file, title }) => `${file}: ${title}`)
    const result = { date: new Date().toISOString().slice(0, 10), seed: runSeed, passed: countTests(reports).passed }
    appendRun(root, { ...result, failed: listTests('failed'), flaky: listTests('flaky') })
    hasPassed &&= results.every(({ passed }) => passed)
  }
  printSummary(root)
  return hasPassed ? 0 : 1
}

const readRuns = (root: string): SoakRun[] =>
  existsSync(join(root, SOAK_FILE)) ? (JSON.parse(readFileSync(join(root, SOAK_FILE), 'utf8')) as SoakRun[]) : []

const appendRun = (root: string, run: SoakRun): void =>
  writeFileSync(join(root, SOAK_FILE), `${JSON.stringify([...readRuns(root), run], null, 2)}\n`)

function printSummary(root: string): void {
  const runs = readRuns(root)
  const red = runs.filter(({ failed }) => failed.length > 0).length
  console.log(`\nRuns so far: ${runs.length}. Failed: ${red}. Flaky or failed tests:`)
  const counts = new Map<string, number>()
  for (const { failed, flaky } of runs)
    for (const name of [...failed, ...flaky]) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`  ${count} x ${name}`)
}
