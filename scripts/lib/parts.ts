import { join } from 'node:path'
import type { StartOptions } from './args.ts'
import type { PartOptions } from './part.ts'
import { checkUrl } from './pulse.ts'
import type { loadBridgeKey } from './provider-admin.ts'
import type { RunFile } from './run-file.ts'
import type { RunEnvironment } from './secrets.ts'
import type { WorkerPart } from './workers.ts'

/** What the parts stand on: folders, environment and options of this run. */
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

/** Listens on two ports: the second one, two after the portal's, has the card page alone. */
export const providerPart = (ground: Ground): PartOptions => {
  const part = worker(ground, 'provider', 1, '/healthz')
  return { ...part, args: [...part.args, '--card-port', String(ground.options.port + 2)] }
}
export const portalPart = (ground: Ground): PartOptions => worker(ground, 'portal', 0, '/')

/** One Worker in a runtime of its own, with the storage of this run. `nth`: its port, counted from the portal's. */
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

/** What a bridge needs of it; its provider may be anywhere. */
export interface BridgeGround extends Pick<Ground, 'root' | 'data' | 'say'> {
  readonly env: Pick<RunEnvironment, 'PROVIDER_ORIGIN'>
  readonly options: Pick<StartOptions, 'virtual'> & Partial<Pick<StartOptions, 'visits'>>
  readonly run: Pick<RunFile, 'set'>
}

/** The bridge says `bridge: ready` when it has shaken hands with the provider. */
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

/** Sends mails over SMTP. It says `mailer: ready` once it runs: whether the mail server does is no business of the start. */
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
