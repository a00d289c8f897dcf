import { join } from 'node:path'
import type { StartOptions } from './args.ts'
import type { ProcessOptions } from './supervised-process.ts'
import { checkUrl } from './health-check.ts'
import { getScriptFile } from './package-layout.ts'
import type { loadBridgeKey } from './provider-admin.ts'
import type { RunFile } from './run-file.ts'
import type { RunEnvironment } from './secrets.ts'
import { TRUST_PORT_OFFSET, type LanRun } from './lan/lan-run.ts'
import type { WorkerPart } from './workers.ts'

export interface RunContext {
  readonly root: string
  readonly data: string
  readonly env: RunEnvironment
  readonly envFile: string
  readonly run: RunFile
  readonly bridgeKey: ReturnType<typeof loadBridgeKey>
  readonly options: StartOptions
  /** Null: only this computer can open Porchlight. */
  readonly lan: LanRun | null
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

/** Returns the options of the portal process. With `--lan`, it also serves the page that offers the certificate. */
export const createPortalOptions = (context: RunContext): ProcessOptions => {
  const part = createWorkerOptions(context, 'portal', 0, '/')
  const { lan, options } = context
  if (!lan?.authorityFile) return part
  const trustPort = String(options.port + TRUST_PORT_OFFSET)
  return { ...part, args: [...part.args, '--lan-ca', lan.authorityFile, '--trust-port', trustPort] }
}

function createWorkerOptions(
  context: RunContext,
  name: WorkerPart,
  portOffset: number,
  probePath: string,
): ProcessOptions {
  const { root, data, env, envFile, options, run, lan, say } = context
  const lanArguments = lan === null ? [] : ['--lan-cert', lan.files.cert, '--lan-key', lan.files.key]
  const port = String(options.port + portOffset)
  const workerArguments = [
    getScriptFile('scripts/serve-worker'),
    '--worker',
    name,
    '--port',
    port,
    '--data',
    data,
    '--env',
    envFile,
  ]
  return {
    name,
    command: process.execPath,
    args: [...workerArguments, ...lanArguments],
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
  readonly env: Pick<RunEnvironment, 'PROVIDER_ORIGIN' | 'PROVIDER_INTERNAL_ORIGIN'>
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
      getScriptFile('bridge/main'),
      '--provider',
      env.PROVIDER_INTERNAL_ORIGIN ?? env.PROVIDER_ORIGIN,
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
    args: [getScriptFile('scripts/mailer'), '--env', envFile],
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
