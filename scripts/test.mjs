// `npm test`: everything a change must pass, from a fresh clone, with Node and npm alone. Ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, projectEnv, projectNode } from './install.mjs'
import { ensureTools } from './tools.mjs'

const given = process.argv.slice(2)
ensureInstalled()
ensureTools({ install: !given.includes('--no-install') })
const done = spawnSync(projectNode(), ['scripts/run-tests.ts', ...given.filter((one) => one !== '--no-install')], {
  cwd: new URL('..', import.meta.url),
  stdio: 'inherit',
  env: projectEnv(),
})
process.exit(done.status ?? 1)
