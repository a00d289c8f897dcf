/** Runs check, the suites of vitest and the browser suite in turn and adds up what they counted. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { unexpected } from './lib/allowed-skips.ts'
import { buildPages } from './lib/build.ts'
import { anyFreePort } from './lib/ports.ts'
import { countTests, readReports, readSkips, REPORTS } from './lib/reports.ts'

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
for (const { name, command } of STEPS) {
  if (only.length > 0 && !only.includes(name)) continue
  console.log(`\n== ${name}`)
  const started = performance.now()
  const [program, ...args] = command
  const done = spawnSync(program, args, { cwd: root, stdio: 'inherit', env })
  console.log(`== ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (done.status !== 0) failed.push(name)
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
