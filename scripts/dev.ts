/**
 * `npm run dev`: serves the pages with hot reload. `astro dev` serves the pages and forwards requests for the edge to
 * the edge. The supervisor of `npm start` runs edge, provider and bridge on ports that start 10 above the pages' port.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseOptions } from './lib/args.ts'
import { runCommand } from './lib/command.ts'
import { StopError } from './lib/stop.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

await runCommand(() => {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') throw new StopError('npm run dev accepts the same options as npm start.')
  startServers(options.port)
})

function startServers(port: number): void {
  const edgePort = port + 10
  const origin = `http://localhost:${port}`
  const supervisor = spawn(
    process.execPath,
    ['scripts/supervise.ts', ...replacePort(process.argv.slice(2), edgePort)],
    {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // Sign-in must return to the development server, because browsers load the pages from there.
      env: { ...process.env, PORTAL_ORIGIN: origin },
    },
  )
  const pageServer = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'dev', '--port', String(port)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, EDGE_ORIGIN: `http://127.0.0.1:${edgePort}` },
  })
  const end = () => {
    pageServer.kill()
    supervisor.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  supervisor.once('exit', (code) => {
    pageServer.kill()
    process.exitCode = code ?? 1
  })
  pageServer.once('exit', end)
}

function replacePort(args: readonly string[], port: number): string[] {
  const at = args.indexOf('--port')
  const rest = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)]
  return [...rest, '--port', String(port)]
}
