// Starts a script of the project. This file is plain JavaScript for Node 20 or newer, because it also runs before any
// package is installed.
import { spawn } from 'node:child_process'
import { ensureInstalled, projectEnv, projectNode, resolveScript } from './install.mjs'

/**
 * Installs missing packages and runs `file`, a path below the root of the project, under `projectNode()`. Exits with
 * the script's exit code, or with 1 if a signal ended it.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, hasChannel?: boolean }} options `hasChannel`: opens an IPC channel, over which the script
 *   notices that this process has died unexpectedly.
 */
export function launch(file, args, { cwd = process.cwd(), hasChannel = false } = {}) {
  ensureInstalled()
  const child = spawn(projectNode(), [resolveScript(file), ...args], {
    cwd,
    stdio: ['inherit', 'inherit', 'inherit', ...(hasChannel ? ['ipc'] : [])],
    env: projectEnv(),
  })
  // The terminal sends Ctrl-C to both processes, so SIGINT is not forwarded. This process waits until the script has
  // stopped.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
  child.on('error', (error) => {
    console.error(`${file} couldn't be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
