// Runs a script of the project under the project's own Node: `node scripts/run.mjs scripts/check.ts [args]`.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, projectEnv, projectNode } from './install.mjs'

ensureInstalled()
const result = spawnSync(projectNode(), process.argv.slice(2), {
  cwd: new URL('..', import.meta.url),
  stdio: 'inherit',
  env: projectEnv(),
})
process.exit(result.status ?? 1)
