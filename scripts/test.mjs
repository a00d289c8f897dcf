// `npm test`: the tests that a change must pass, from a fresh clone, with Node and npm alone. Ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, projectEnv, projectNode } from './install.mjs'
import { ensureTools } from './tools.mjs'

const args = process.argv.slice(2)
ensureInstalled()
if (!args.includes('--help')) ensureTools({ install: !args.includes('--no-install') })
const result = spawnSync(
  projectNode(),
  ['scripts/run-tests.ts', ...args.filter((option) => option !== '--no-install')],
  {
    cwd: new URL('..', import.meta.url),
    stdio: 'inherit',
    env: projectEnv(),
  },
)
process.exit(result.status ?? 1)
