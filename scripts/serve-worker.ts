/** Runs one built Worker for `npm start` until the process receives a stop signal. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { getTemplateFolder } from './lib/data-template.ts'
import { startWorkerRuntime } from './lib/worker-runtime.ts'
import type { WorkerPart } from './lib/workers.ts'

const { values } = parseArgs({
  options: {
    worker: { type: 'string', default: 'portal' },
    port: { type: 'string', default: '8787' },
    'card-port': { type: 'string' },
    data: { type: 'string', default: '.porchlight' },
    env: { type: 'string', default: '' },
  },
})
const worker = values.worker as WorkerPart
const root = new URL('..', import.meta.url).pathname
const runtime = startWorkerRuntime({
  root,
  worker,
  optionsFolder: getTemplateFolder(root),
  ...(worker === 'portal' ? { site: join(values.data, 'site') } : {}),
  stateFolder: join(values.data, 'state', worker, 'v3'),
  port: Number(values.port),
  ...(values['card-port'] === undefined ? {} : { cardPort: Number(values['card-port']) }),
  bindings: parseEnv(readFileSync(values.env, 'utf8')) as Record<string, string>,
  log: (_level, message) => console.error(message),
})
process.on('SIGTERM', () => void runtime.dispose().finally(() => process.exit(0)))
await runtime.ready
