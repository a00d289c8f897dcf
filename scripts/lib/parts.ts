import { join } from 'node:path'
import type { StartOptions } from './args.ts'
import { answers, type PartOptions } from './part.ts'
import type { loadBridgeKey } from './provider-admin.ts'
import type { RunFile } from './run-file.ts'
import type { RunEnvironment } from './secrets.ts'

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

export function providerPart(ground: Ground): PartOptions {
  const { options, env } = ground
  return worker(
    ground,
    'provider',
    ['--config', 'provider/wrangler.toml'],
    options.port + 1,
    `http://127.0.0.1:${options.port + 1}/healthz`,
    env,
  )
}

export function portalPart(ground: Ground): PartOptions {
  const { data, options, env } = ground
  const args = ['--config', 'wrangler.toml', '--assets', join(data, 'site')]
  return worker(ground, 'portal', args, options.port, `http://127.0.0.1:${options.port}/`, env)
}

/**
 * wrangler's tools for developers stay off: its explorer shows every table and object to whoever reaches the port, without
 * asking who it is, and its observation of each request takes a third of the time of an answer.
 */
const NO_TOOLS = { X_LOCAL_EXPLORER: 'false', X_LOCAL_OBSERVABILITY: 'false' }

/** One Worker in `wrangler dev`, with storage and registry of this run. */
function worker(
  ground: Ground,
  name: string,
  args: readonly string[],
  port: number,
  probeUrl: string,
  env: RunEnvironment,
): PartOptions {
  const { root, data, envFile, say, run } = ground
  return {
    name,
    command: process.execPath,
    args: [
      'node_modules/wrangler/bin/wrangler.js',
      'dev',
      ...args,
      '--port',
      String(port),
      '--ip',
      '127.0.0.1',
      '--inspector-port',
      '0',
      '--persist-to',
      join(data, 'state', name),
      '--env-file',
      envFile,
      '--show-interactive-dev-session=false',
      '--log-level',
      'warn',
    ],
    cwd: root,
    env: { ...process.env, ...NO_TOOLS, WRANGLER_REGISTRY_PATH: join(data, 'registry'), BUILD_ID: env.BUILD_ID },
    logFile: join(data, 'logs', `${name}.log`),
    probe: () => answers(probeUrl),
    onStart: (pid) => run.set(name, pid),
    say,
  }
}

/** The bridge says `bridge: ready` when it has shaken hands with the provider. */
export function bridgePart({ root, data, env, options, say, run }: Ground): PartOptions {
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
    ],
    cwd: root,
    env: process.env,
    logFile: join(data, 'logs', 'bridge.log'),
    probe: async () => ready,
    onStart: (pid) => {
      ready = false
      run.set('bridge', pid)
    },
    onLine: (line) => {
      if (line.includes('bridge: ready')) ready = true
      else if (line.startsWith('bridge: !')) say(line.slice('bridge: !'.length).trim())
    },
    say,
  }
}
