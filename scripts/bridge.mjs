// Runs the bridge with the project's own Node. This script itself needs Node 20 or newer. Example:
// `node scripts/bridge.mjs doctor -`.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, projectEnv, projectNode } from './install.mjs'

ensureInstalled()
const main = fileURLToPath(new URL('../bridge/main.ts', import.meta.url))
const child = spawn(projectNode(), [main, ...process.argv.slice(2)], { stdio: 'inherit', env: projectEnv() })
// SIGINT is not forwarded, because the terminal sends Ctrl-C to both processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
