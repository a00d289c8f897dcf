import { join } from 'node:path'
import type { StartOptions } from './args.ts'
import type { PartOptions } from './part.ts'
import { checkUrl } from './pulse.ts'
import type { loadBridgeKey } from './provider-admin.ts'
import type { RunFile } from './run-file.ts'
import type { RunEnvironment } from './secrets.ts'
import type { WorkerPart } from './workers.ts'

export interface Ground {
  readonly root: string
  readonly data: string
  readonly env: RunEnvironment
  readonly envFile: string
  readonly run: RunFile
  readonly bridgeKey: ReturnType<typeof loadBridgeKey>
  readonly options: StartOptions
  readonly say: (line: string) => void
}

/** Provider process. It listens on two ports: the second port, two above the portal's, serves only the card page. */
export const providerPart = (ground: Ground): PartOptions => {
  const part = worker(ground, 'provider', 1, '/healthz')
  return { ...part, args: [...part.args, '--card-port', String(ground.options.port + 2)] }
}
export const portalPart = (ground: Ground): PartOptions => worker(ground, 'portal', 0, '/')

/** Worker in a separate runtime with the storage of this run. `nth`: offset of its port from the portal's. */
function worker(ground: Ground, name: WorkerPart, nth: number, probePath: string): PartOptions {
  const { root, data, env, envFile, options, run, say } = ground
  const port = String(options.port + nth)
  return {
    name,
    command: process.execPath,
    args: ['scripts/serve-worker.ts', '--worker', name, '--port', port, '--data', data, '--env', envFile],
    cwd: root,
    env: { ...process.env, BUILD_ID: env.BUILD_ID },
    logFile: join(data, 'logs', `${name}.log`),
    probe: (waitMs) => checkUrl(`http://127.0.0.1:${port}${probePath}`, waitMs),
    onStart: (pid) => run.set(name, pid),
    say,
  }
}

/** Input of a bridge process; its provider may run on another machine. */
export interface BridgeGround extends Pick<Ground, 'root' | 'data' | 'say'> {
  readonly env: Pick<RunEnvironment, 'PROVIDER_ORIGIN'>
  readonly options: Pick<StartOptions, 'virtual'> & Partial<Pick<StartOptions, 'visits'>>
  readonly run: Pick<RunFile, 'set'>
}

/** The bridge prints `bridge: ready` after its handshake with the provider. */
export function bridgePart({ root, data, env, options, say, run }: BridgeGround): PartOptions {
  let ready = false
  return {
    name: 'bridge',
    command: process.execPath,
    args: [
      'bridge/main.ts',
      '--provider',
      env.PROVIDER_ORIGIN,
      '--data',
      data,
      ...(options.virtual === null ? [] : ['--virtual', String(options.virtual)]),
      ...(options.visits === 'none' ? ['--visits', 'none'] : []),
    ],
    cwd: root,
    env: process.env,
    logFile: join(data, 'logs', 'bridge.log'),
    probe: async () => (ready ? 'answers' : 'refused'),
    hasChannel: true,
    onStart: (pid) => {
      ready = false
      run.set('bridge', pid)
    },
    onLine: (line) => {
      if (line.includes('bridge: ready')) ready = true
      else if (line.includes(' bridge: ! ')) say(line.slice(line.indexOf('!') + 1).trim())
    },
    say,
  }
}

/** Sends emails over SMTP. Prints `mailer: ready` once it runs; the start does not depend on the mail server. */
export function mailerPart({ root, data, envFile, say, run }: Ground): PartOptions {
  let ready = false
  return {
    name: 'mailer',
    command: process.execPath,
    args: ['scripts/mailer.ts', '--env', envFile],
    cwd: root,
    env: process.env,
    logFile: join(data, 'logs', 'mailer.log'),
    probe: async () => (ready ? 'answers' : 'refused'),
    hasChannel: true,
    onStart: (pid) => {
      ready = false
      run.set('mailer', pid)
    },
    onLine: (line) => {
      if (line.includes('mailer: ready')) ready = true
    },
    say,
  }
}
