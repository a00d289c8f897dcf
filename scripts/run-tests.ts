/** Runs check, the suites of vitest and the two halves of the browser suite one after the other; adds up what they counted. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { unexpected } from './lib/allowed-skips.ts'
import { buildPages } from './lib/build.ts'
import { anyFreePort } from './lib/ports.ts'
import { countTests, E2E_HALVES, readFailures, readReports, readSkips, REPORTS } from './lib/reports.ts'

const root = new URL('..', import.meta.url).pathname
const bin = (name: string) => `${root}node_modules/.bin/${name}`

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly env?: NodeJS.ProcessEnv
}

const STEPS: readonly Step[] = [
  { name: 'check', command: [process.execPath, 'scripts/check.ts'] },
  {
    name: 'vitest',
    command: [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORTS.vitest}`],
  },
]

rmSync(`${root}test-results`, { recursive: true, force: true })
mkdirSync(`${root}test-results`, { recursive: true })
buildPages(root, console.log)
const only = process.argv.slice(2)
const failed: string[] = []
const isAsked = (name: string) => only.length === 0 || only.includes(name)
for (const step of STEPS) if (isAsked(step.name)) await run(step)
// One after the other: beside each other they take as long, and what a page does late is then taken for what it does wrong.
if (isAsked('e2e')) for (const half of await halves()) await run(half)

/** The browser suite: each half has a Porchlight of its own, so that neither sees what the other does to cameras. */
async function halves(): Promise<Step[]> {
  const steps: Step[] = []
  for (const { folder, projects, experiment } of E2E_HALVES) {
    const env = { E2E_PORT: String(await anyFreePort()), E2E_RESULTS: folder, EXPERIMENT: experiment }
    const named = projects.map((project) => `--project=${project}`)
    steps.push({ name: 'e2e', command: [bin('playwright'), 'test', ...named], env })
  }
  return steps
}

/** Runs a step and notes when it fails. */
async function run({ name, command, env }: Step): Promise<void> {
  const started = performance.now()
  const [program, ...args] = command
  console.log(`\n== ${name}`)
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const [status] = (await once(child, 'close')) as [number | null]
  console.log(`== ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (status !== 0) failed.push(name)
}

const counted = countTests(readReports(root))
const skips = readSkips(root)
const refused = unexpected(skips)
for (const { file, title } of refused)
  console.log(`\nSkipped, and not on the list of scripts/lib/allowed-skips.ts: ${file}: ${title}`)
// Named once more: a log that is cut keeps its end.
for (const { file, title, why } of readFailures(root)) console.log(`\nFailed: ${file}: ${title}\n${why}`)
// A step that failed without a failed test (a type error, a crashed runner) counts as one failure, as does a skip that nothing allows.
const failures = Math.max(counted.failed, failed.length) + refused.length
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
const skipped = skips.length > 0 ? `, ${skips.length} skipped` : ''
console.log(`\n${counted.passed} passed, ${failures} failed${skipped}`)
process.exit(failures > 0 || (counted.passed === 0 && !only.includes('check')) ? 1 : 0)
