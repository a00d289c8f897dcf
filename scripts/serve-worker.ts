/**
 * Runs one Worker in the runtime of the platform, for `npm start`: without the second runtime that `wrangler dev` puts in front
 * and without its tools, which show every table to whoever reaches the port (docs/decisions/0013).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { bundleOf, MAIN_MODULE, optionsFileOf, type WorkerPart } from './lib/workers.ts'

const { values } = parseArgs({
  options: {
    worker: { type: 'string', default: 'portal' },
    port: { type: 'string', default: '8787' },
    data: { type: 'string', default: '.porchlight' },
    env: { type: 'string', default: '' },
  },
})
const root = new URL('..', import.meta.url).pathname
const worker = values.worker as WorkerPart
const bundle = bundleOf(root, worker)
const others = readdirSync(bundle).filter((name) => name !== MAIN_MODULE)
const configured = JSON.parse(readFileSync(optionsFileOf(values.data, worker), 'utf8')) as Record<string, unknown>

const runtime = new Miniflare(
  convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: Number(values.port),
    // Where `wrangler d1 migrations apply --local` keeps it too.
    resourcePersistencePath: join(values.data, 'state', worker, 'v3'),
    log: new Log(LogLevel.WARN),
    logRequests: false,
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'warn' || level === 'error') console.error(message)
    },
    cf: false,
    telemetry: { enabled: false },
    unsafeLocalExplorer: false,
    unsafeObservability: false,
    workers: [
      {
        ...configured,
        name: `porchlight-${worker}`,
        modulesRoot: bundle,
        modules: [
          { type: 'ESModule', path: join(bundle, MAIN_MODULE) },
          ...others.map((name) => ({ type: 'Data' as const, path: join(bundle, name) })),
        ],
        bindings: parseEnv(readFileSync(values.env, 'utf8')) as Record<string, string>,
      },
    ],
  }),
)
process.on('SIGTERM', () => void runtime.dispose().finally(() => process.exit(0)))
await runtime.ready
