// Entry point of `npm start`: runs on the machine's own Node (20 or newer) before anything is installed, then hands
// over to scripts/supervise.ts under the project's Node.
import { spawn } from 'node:child_process'
import { ensureInstalled, projectEnv, projectNode } from './install.mjs'

ensureInstalled()
const child = spawn(projectNode(), ['scripts/supervise.ts', ...process.argv.slice(2)], {
  cwd: new URL('..', import.meta.url),
  // The channel tells the supervisor when this process dies unexpectedly.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: projectEnv(),
})
// The terminal sends Ctrl-C to both processes; the supervisor stops everything, and this process waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
