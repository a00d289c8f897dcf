/**
 * `npm test` and `npm run test:all`: runs the checks, vitest and the browser suite, and merges their reports. Prints
 * `N passed, N failed` last; the exit code is 1 if the run failed. `npm run soak`: repeats only the browser suite.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildPages } from './lib/build.ts'
import { listChangedFiles } from './lib/changes.ts'
import { buildTemplate } from './lib/data-template.ts'
import { measureSlowness } from './lib/machine.ts'
import { BROWSER_RUN_FOLDERS, readReports, sumSecondsByFile } from './lib/reports.ts'
import { endLeftoverProcesses } from './lib/run-file.ts'
import { runSoak } from './lib/soak.ts'
import { planSteps, planFilterSteps } from './lib/test-commands.ts'
import { concludeRun } from './lib/test-conclusion.ts'
import { planAll, planChanged, planRequired, planParts } from './lib/test-plan.ts'
import { runStep, type StepResult, type TestStep } from './lib/test-steps.ts'
import { readTestDurations, writeTestDurations } from './lib/times.ts'
import { buildWorkers } from './lib/workers.ts'

const HELP = `npm test -- [words] [options]
  words         only tests whose file name or title has one of them; check, vitest or e2e: only this part
  --changed     only tests that the change can affect
  --no-install  list missing system packages instead of installing them
npm run test:all runs everything. npm run soak -- --runs N [--seed S] repeats the browser tests in random order.`

const root = new URL('..', import.meta.url).pathname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1' },
    seed: { type: 'string' },
    changed: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) console.log(HELP)
else process.exitCode = await main()

async function main(): Promise<number> {
  rmSync(`${root}test-results`, { recursive: true, force: true })
  mkdirSync(`${root}test-results`, { recursive: true })
  const started = performance.now()
  buildPages(root, console.log)
  buildWorkers(root, console.log)
  buildTemplate(root)
  console.log(`== build: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (values.soak) return await runSoak(root, Number(values.runs), values.seed, runSteps)
  const { results, factor } = await runSteps(await chooseSteps())
  // With a filter on the command line, the runners report all tests outside of the filter as skipped.
  const isSelection = positionals.length > 0 && planParts(positionals) === null
  const reports = readReports(root).filter(({ status }) => !isSelection || status !== 'skipped')
  const code = concludeRun({ root, reports, steps: results, factor, isAll: values.all, times: readTestDurations(root) })
  if (values.all) writeTestDurations(root, sumSecondsByFile(reports), factor)
  return code
}

async function chooseSteps(): Promise<TestStep[]> {
  const parts = planParts(positionals)
  if (parts !== null) return planSteps(root, parts)
  if (positionals.length > 0) return planFilterSteps(root, positionals)
  if (values.all) return planSteps(root, planAll())
  const changed = listChangedFiles(root)
  return planSteps(root, values.changed ? planChanged(changed) : planRequired(changed))
}

/**
 * Runs steps one after the other. Measures the machine's speed before each step, because other load changes the speed.
 */
async function runSteps(steps: readonly TestStep[]): Promise<{ results: StepResult[]; factor: number }> {
  const results: StepResult[] = []
  let slownessFactor = 1
  for (const step of steps) {
    slownessFactor = Math.max(slownessFactor, await measureSlowness())
    console.log(`\nLimits of tests are multiplied by ${slownessFactor}: the reference machine is as many times faster.`)
    results.push(await runStep(step, root, { MACHINE_FACTOR: String(slownessFactor) }))
    for (const folder of BROWSER_RUN_FOLDERS) await endLeftoverProcesses(`${root}${folder}/data`, root)
  }
  return { results, factor: slownessFactor }
}
