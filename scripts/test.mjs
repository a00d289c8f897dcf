// `npm test`: runs the tests that every change must pass. Before that, installs missing packages (install.mjs) and, if
// possible, missing system programs (tools.mjs). The output ends with `N passed, N failed`.
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
