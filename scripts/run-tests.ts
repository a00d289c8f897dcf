/** Runs check beside the suites of vitest and, where it takes longer, beside the browser suite after them; adds up what they counted. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { unexpected } from './lib/allowed-skips.ts'
import { buildPages } from './lib/build.ts'
import { anyFreePort } from './lib/ports.ts'
import { countTests, E2E_HALVES, readReports, readSkips, REPORTS } from './lib/reports.ts'

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
const asked = (wanted: string) => STEPS.find(({ name }) => name === wanted && isAsked(name))
const [check, vitest] = [asked('check'), asked('vitest')]
// Check takes the time that the tests leave.
const checking = check && run(check, only.length !== 1)
if (vitest) await run(vitest)
// A half waits for its pages nearly half of its time: two of them take little longer than one.
if (isAsked('e2e')) await Promise.all((await halves()).map((half) => run(half)))
await checking

/** The browser suite: each half has a Porchlight of its own, so that neither sees what the other does to cameras. */
async function halves(): Promise<Step[]> {
  const steps: Step[] = []
  for (const { folder, projects } of E2E_HALVES) {
    const env = { E2E_PORT: String(await anyFreePort()), E2E_RESULTS: folder }
    const named = projects.map((project) => `--project=${project}`)
    steps.push({ name: 'e2e', command: [bin('playwright'), 'test', ...named], env })
  }
  return steps
}

/** Runs a step and notes when it fails. `quiet`: at the lowest priority, its output at the end. */
async function run({ name, command, env }: Step, quiet = false): Promise<void> {
  const started = performance.now()
  const [program, ...args] = command
  if (!quiet) console.log(`\n== ${name}`)
  const child = spawn(program, args, { cwd: root, stdio: quiet ? 'pipe' : 'inherit', env: { ...process.env, ...env } })
  if (quiet && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const said = child.stdout ? text(child.stdout) : Promise.resolve('')
  const complained = child.stderr ? text(child.stderr) : Promise.resolve('')
  const [status] = (await once(child, 'close')) as [number | null]
  if (quiet) console.log(`\n== ${name}\n${await said}${await complained}`)
  console.log(`== ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (status !== 0) failed.push(name)
}

const counted = countTests(readReports(root))
const skips = readSkips(root)
const refused = unexpected(skips)
for (const { file, title } of refused)
  console.log(`\nSkipped, and not on the list of scripts/lib/allowed-skips.ts: ${file}: ${title}`)
// A step that failed without a failed test (a type error, a crashed runner) counts as one failure, as does a skip that nothing allows.
const failures = Math.max(counted.failed, failed.length) + refused.length
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
const skipped = skips.length > 0 ? `, ${skips.length} skipped` : ''
console.log(`\n${counted.passed} passed, ${failures} failed${skipped}`)
process.exit(failures > 0 || (counted.passed === 0 && !only.includes('check')) ? 1 : 0)
