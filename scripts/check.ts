/**
 * `npm run check`: checks the code without running the tests, from types, lint rules and format to licenses and
 * vocabulary (`CHECKS`).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { listChangedFiles } from './lib/changes.ts'

const root = new URL('..', import.meta.url).pathname
const binPath = (name: string) => `${root}node_modules/.bin/${name}`
/**
 * `-- --all`: also applies the lint rules that need types, and checks all files with the JavaScript build of TypeScript
 * to detect differences from the native compiler.
 */
const isComplete = process.argv.includes('--all')
/** `-- --changed`: format and lint check only changed files, because the other files passed when they last changed. */
const changed = process.argv.includes('--changed') ? listChangedFiles(root) : null
/** Returns the changed files that match `isWanted`; `.` (all files) if none match or `changed` is null. */
function listTargets(isWanted: RegExp): string[] {
  const files = (changed ?? []).filter((file) => isWanted.test(file) && existsSync(`${root}${file}`))
  return files.length > 0 ? files : ['.']
}
const PARALLEL_CHECKS = 2

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly env?: NodeJS.ProcessEnv
}

/** The longest check is first, so that short checks fill the time at the end of the run. */
const CHECKS: readonly Check[] = [
  {
    name: isComplete ? 'lint and import rules, types included' : 'lint and import rules',
    command: [
      binPath('eslint'),
      '--max-warnings',
      '0',
      '--no-warn-ignored',
      '--cache',
      '--cache-location',
      'node_modules/.cache/eslint/',
      ...listTargets(/\.(ts|tsx|mjs|astro)$/),
    ],
    env: { TYPED_LINT: isComplete ? '1' : '0' },
  },
  {
    name: 'format',
    command: [
      binPath('prettier'),
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--ignore-unknown',
      '--no-error-on-unmatched-pattern',
      ...listTargets(/./),
    ],
  },
  {
    name: isComplete ? 'types as Astro sees them' : 'types of .astro files',
    command: [
      binPath('astro'),
      'check',
      '--minimumFailingSeverity',
      'error',
      '--minimumSeverity',
      'error',
      '--tsconfig',
      isComplete ? 'tsconfig.json' : 'tsconfig.astro.json',
    ],
  },
  // This check and the next one use one thread each. Several threads would check shared types repeatedly, and another
  // check keeps the second core busy.
  { name: 'types', command: [`${root}node_modules/typescript-native/bin/tsc`, '--singleThreaded'] },
  { name: 'promises and cases', command: [binPath('oxlint'), '--threads=1'], env: { GOMAXPROCS: '1' } },
  { name: 'dead code', command: [binPath('knip'), '--no-progress'] },
  {
    // Excludes dependencies, because this mode ignores configuration files and cannot see which packages those files
    // use.
    name: 'code that only tests use',
    command: [binPath('knip'), '--no-progress', '--production', '--exclude', 'dependencies'],
  },
  { name: 'what is served', command: [process.execPath, 'scripts/check-served.ts'] },
  { name: 'specs', command: [process.execPath, 'scripts/check-specs.ts'] },
  // Checks that each mutant can still be applied after a code change; `npm run mutants` runs the mutants.
  { name: 'mutants', command: [process.execPath, 'tests/mutants/main.ts', '--check'] },
  { name: 'types of bindings', command: [process.execPath, 'scripts/worker-types.ts', '--check'] },
  { name: 'vocabulary', command: [process.execPath, 'scripts/check-vocabulary.ts'] },
  { name: 'import cycles', command: [process.execPath, 'scripts/check-cycles.ts'] },
  { name: 'fixed names', command: [process.execPath, 'scripts/check-fixed-names.ts'] },
  { name: 'licenses', command: [process.execPath, 'scripts/check-licenses.ts'] },
]

async function runCheck({ name, command: [program, ...args], env }: Check): Promise<boolean> {
  const started = performance.now()
  const child = spawn(program, args, { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env } })
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(`${out}${err}`)
  return status === 0
}

const pendingChecks = [...CHECKS]
const results: boolean[] = []
async function runNextChecks(): Promise<void> {
  for (let check = pendingChecks.shift(); check; check = pendingChecks.shift()) results.push(await runCheck(check))
}

await Promise.all(Array.from({ length: PARALLEL_CHECKS }, runNextChecks))
process.exit(results.every(Boolean) ? 0 : 1)
