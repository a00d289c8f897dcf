/**
 * Runs check, then the suites of vitest beside the browser suite, and adds up what they counted. Both spend half of their
 * time waiting for what they started; the output of each comes in one piece.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { buildPages } from './lib/build.ts'
import { anyFreePort } from './lib/ports.ts'
import { countTests, readReports, REPORTS } from './lib/reports.ts'

const root = new URL('..', import.meta.url).pathname
const bin = (name: string) => `${root}node_modules/.bin/${name}`

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

const STEPS: readonly Step[] = [
  { name: 'check', command: [process.execPath, 'scripts/check.ts'] },
  {
    name: 'vitest',
    command: [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORTS.vitest}`],
  },
  { name: 'e2e', command: [bin('playwright'), 'test'] },
]

rmSync(`${root}test-results`, { recursive: true, force: true })
mkdirSync(`${root}test-results`, { recursive: true })
buildPages(root, console.log)
const env = { ...process.env, E2E_PORT: String(await anyFreePort()) }

const only = process.argv.slice(2)
const failed: string[] = []

/** Runs one step; `isAlone`: its output may come as it is written. */
async function run({ name, command: [program, ...args] }: Step, isAlone: boolean): Promise<void> {
  const child = spawn(program, args, { cwd: root, stdio: ['inherit', isAlone ? 'inherit' : 'pipe', 'inherit'], env })
  const output: Buffer[] = []
  child.stdout?.on('data', (part: Buffer) => output.push(part))
  if (isAlone) console.log(`\n== ${name}`)
  const [status] = (await once(child, 'close')) as [number | null]
  if (!isAlone) console.log(`\n== ${name}\n${Buffer.concat(output).toString()}`)
  if (status !== 0) failed.push(name)
}

const wanted = STEPS.filter(({ name }) => only.length === 0 || only.includes(name))
for (const step of wanted.filter(({ name }) => name === 'check')) await run(step, true)
const suites = wanted.filter(({ name }) => name !== 'check')
await Promise.all(suites.map((step) => run(step, suites.length === 1)))

const counted = countTests(readReports(root))
// A step that failed without a failed test (a type error, a crashed runner) counts as one failure.
const failures = Math.max(counted.failed, failed.length)
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
console.log(`\n${counted.passed} passed, ${failures} failed`)
process.exit(failures > 0 || counted.passed === 0 ? 1 : 0)
