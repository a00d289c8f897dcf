/** `npm run check`: types, lint and import rules, format, dead code, secrets in what is served, titles of the ledger. */
import { spawnSync } from 'node:child_process'

const root = new URL('..', import.meta.url).pathname
const bin = (name: string) => `${root}node_modules/.bin/${name}`

const CHECKS: Record<string, readonly [string, ...string[]]> = {
  types: [bin('astro'), 'check', '--minimumFailingSeverity', 'error', '--minimumSeverity', 'error'],
  'lint and import rules': [
    bin('eslint'),
    '.',
    '--max-warnings',
    '0',
    '--cache',
    '--cache-location',
    'node_modules/.cache/eslint/',
  ],
  format: [bin('prettier'), '--check', '--log-level', 'warn', '--cache', '.'],
  'dead code': [bin('knip'), '--no-progress'],
  'what is served': [process.execPath, 'scripts/check-served.ts'],
  specs: [process.execPath, 'scripts/check-specs.ts'],
}

const failed = Object.entries(CHECKS).filter(([name, [program, ...args]]) => {
  const started = performance.now()
  const done = spawnSync(program, args, { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${done.status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (done.status !== 0) console.log(`${done.stdout}${done.stderr}`)
  return done.status !== 0
})
process.exit(failed.length > 0 ? 1 : 0)
