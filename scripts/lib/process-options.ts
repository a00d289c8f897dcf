import { join } from 'node:path'
import type { StartOptions } from './args.ts'
import type { ProcessOptions } from './supervised-process.ts'
import { checkUrl } from './health-check.ts'
import type { loadBridgeKey } from './provider-admin.ts'
import type { RunFile } from './run-file.ts'
import type { RunEnvironment } from './secrets.ts'
import type { WorkerPart } from './workers.ts'

export interface RunContext {
  readonly root: string
  readonly data: string
  readonly env: RunEnvironment
  readonly envFile: string
  readonly run: RunFile
  readonly bridgeKey: ReturnType<typeof loadBridgeKey>
  readonly options: StartOptions
  readonly say: (line: string) => void
}

/**
 * Returns the options of the provider process. The provider's second port, two above the portal's port, serves only the
 * card page.
 */
export const createProviderOptions = (context: RunContext): ProcessOptions => {
  const part = createWorkerOptions(context, 'provider', 1, '/healthz')
  return { ...part, args: [...part.args, '--card-port', String(context.options.port + 2)] }
}
export const createPortalOptions = (context: RunContext): ProcessOptions =>
  createWorkerOptions(context, 'portal', 0, '/')

function createWorkerOptions(
  context: RunContext,
  name: WorkerPart,
  portOffset: number,
  probePath: string,
): ProcessOptions {
  const { root, data, env, envFile, options, run, say } = context
  const port = String(options.port + portOffset)
  return {
    name,
    command: process.execPath,
    args: ['scripts/serve-worker.ts', '--worker', name, '--port', port, '--data', data, '--env', envFile],
    cwd: root,
    env: { ...process.env, BUILD_ID: env.BUILD_ID },
    logFile: join(data, 'logs', `${name}.log`),
    probe: (timeoutMs) => checkUrl(`http://127.0.0.1:${port}${probePath}`, timeoutMs),
    onStart: (pid) => run.recordProcess(name, pid),
    say,
  }
}

/** Context of a bridge process. The provider that the bridge connects to may run on another machine. */
export interface BridgeContext extends Pick<RunContext, 'root' | 'data' | 'say'> {
  readonly env: Pick<RunEnvironment, 'PROVIDER_ORIGIN'>
  readonly options: Pick<StartOptions, 'virtual'> & Partial<Pick<StartOptions, 'visits'>>
  readonly run: Pick<RunFile, 'recordProcess'>
}

/** Returns the options of a bridge process, which prints `bridge: ready` after its handshake with the provider. */
export function createBridgeOptions({ root, data, env, options, say, run }: BridgeContext): ProcessOptions {
  let isReady = false
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
    probe: async () => (isReady ? 'answers' : 'refused'),
    hasChannel: true,
    onStart: (pid) => {
      isReady = false
      run.recordProcess('bridge', pid)
    },
    onLine: (line) => {
      if (line.includes('bridge: ready')) isReady = true
      else if (line.includes(' bridge: ! ')) say(line.slice(line.indexOf('!') + 1).trim())
    },
    say,
  }
}

/** Returns the options of the SMTP mailer process, which prints `mailer: ready` even if the mail server is down. */
export function createMailerOptions({ root, data, envFile, say, run }: RunContext): ProcessOptions {
  let isReady = false
  return {
    name: 'mailer',
    command: process.execPath,
    args: ['scripts/mailer.ts', '--env', envFile],
    cwd: root,
    env: process.env,
    logFile: join(data, 'logs', 'mailer.log'),
    probe: async () => (isReady ? 'answers' : 'refused'),
    hasChannel: true,
    onStart: (pid) => {
      isReady = false
      run.recordProcess('mailer', pid)
    },
    onLine: (line) => {
      if (line.includes('mailer: ready')) isReady = true
    },
    say,
  }
}
