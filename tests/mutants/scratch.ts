import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'

/** Result of a test run. `failed`: titles of failed tests; `broken`: files that could not run. */
export interface TestRunOutcome {
  readonly passed: number
  readonly failed: readonly string[]
  readonly broken: readonly string[]
}

export interface ScratchCopy {
  read(file: string): string
  write(file: string, text: string): void
  run(tests: readonly string[], stopsAtFirst: boolean): Promise<TestRunOutcome>
  remove(): void
}

const vitestReport = v.object({
  numPassedTests: v.number(),
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      assertionResults: v.array(v.object({ fullName: v.string(), status: v.string() })),
    }),
  ),
})

/**
 * Timeout of a test run with a mutant, because a mutant can cause an endless loop. Such a mutant must be replaced,
 * because a run without an end proves nothing.
 */
const RUN_TIMEOUT_MS = 600_000

/** Waits until a run and its child processes end. Kills them after `limitMs`, or when this process exits. */
async function waitForExit(child: ChildProcess, limitMs: number): Promise<void> {
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const killTimer = limitMs === Infinity ? undefined : setTimeout(kill, limitMs)
  process.prependOnceListener('exit', kill)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(killTimer)
  process.off('exit', kill)
}

/**
 * Copies the build output and all files that Git does not ignore into a temporary folder. Links the project's
 * `node_modules`.
 */
export function createScratchCopy(root: string): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-mutants-'))
  const { stdout } = spawnSync('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of [...stdout.split('\0').filter((name) => name !== ''), 'dist']) {
    if (!existsSync(join(root, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  return {
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
    run: (tests, stopsAtFirst) => runTests(folder, tests, stopsAtFirst),
    remove,
  }
}

async function runTests(folder: string, tests: readonly string[], stopsAtFirst: boolean): Promise<TestRunOutcome> {
  const file = join(folder, 'test-results/mutant.json')
  rmSync(file, { force: true })
  const bail = stopsAtFirst ? ['--bail=1'] : []
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--reporter=json', `--outputFile=${file}`, ...bail]
  await waitForExit(
    spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true }),
    stopsAtFirst ? RUN_TIMEOUT_MS : Infinity,
  )
  if (!existsSync(file)) return { passed: 0, failed: [], broken: tests }
  const { numPassedTests, testResults } = v.parse(vitestReport, JSON.parse(readFileSync(file, 'utf8')))
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName.trim()),
  )
  const broken = testResults
    .filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
    )
    .map(({ name }) => name)
  return { passed: numPassedTests, failed, broken }
}
