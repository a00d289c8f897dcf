/** `npm run check`: types, lint and import rules, format, dead code, secrets in what is served, licences, titles of the ledger. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const root = new URL('..', import.meta.url).pathname
const bin = (name: string) => `${root}node_modules/.bin/${name}`

type Check = readonly [name: string, command: readonly [string, ...string[]]]

/** Both rows run at once, the checks of one after the other. */
const ROWS: readonly (readonly Check[])[] = [
  [['types', [bin('astro'), 'check', '--minimumFailingSeverity', 'error', '--minimumSeverity', 'error']]],
  [
    ['format', [bin('prettier'), '--check', '--log-level', 'warn', '--cache', '.']],
    [
      'lint and import rules',
      [bin('eslint'), '.', '--max-warnings', '0', '--cache', '--cache-location', 'node_modules/.cache/eslint/'],
    ],
    ['dead code', [bin('knip'), '--no-progress']],
    // Tests alone keep nothing alive. Packages of configuration files are no concern of this mode.
    ['code that only tests use', [bin('knip'), '--no-progress', '--production', '--exclude', 'dependencies']],
    ['what is served', [process.execPath, 'scripts/check-served.ts']],
    ['licences', [process.execPath, 'scripts/check-licences.ts']],
    ['circles', [process.execPath, 'scripts/check-cycles.ts']],
    ['specs', [process.execPath, 'scripts/check-specs.ts']],
  ],
]

async function passes([name, [program, ...args]]: Check): Promise<boolean> {
  const started = performance.now()
  const child = spawn(program, args, { cwd: root, env: { ...process.env, NO_COLOR: '1' } })
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(`${out}${err}`)
  return status === 0
}

async function passed(row: readonly Check[]): Promise<boolean[]> {
  const results: boolean[] = []
  for (const check of row) results.push(await passes(check))
  return results
}

const results = (await Promise.all(ROWS.map(passed))).flat()
process.exit(results.every(Boolean) ? 0 : 1)
