/**
 * Runs one built Worker for `npm start` until the process receives a stop signal. A front server receives all requests
 * and forwards them to the Worker's own port (docs/decisions/0096).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { getTemplateFolder } from './lib/data-template.ts'
import { getClientAddressSource } from './front/headers.ts'
import { startFront } from './front/front-server.ts'
import { CARD_PAGE_ENTRYPOINT, getWorkerName, measureDiskSpace, startWorkerRuntime } from './lib/worker-runtime.ts'
import type { WorkerPart } from './lib/workers.ts'

const { values } = parseArgs({
  options: {
    worker: { type: 'string', default: 'portal' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8787' },
    'card-port': { type: 'string' },
    data: { type: 'string', default: '.porchlight' },
    env: { type: 'string', default: '' },
  },
})
const worker = values.worker as WorkerPart
const { host } = values
const cardPort = values['card-port'] === undefined ? null : Number(values['card-port'])
const root = new URL('..', import.meta.url).pathname
const bindings = parseEnv(readFileSync(values.env, 'utf8')) as Record<string, string>
const clientAddress = getClientAddressSource(host, bindings['TRUST_PROXY'])
const stateFolder = join(values.data, 'state', worker, 'v3')
const runtime = startWorkerRuntime({
  root,
  worker,
  optionsFolder: getTemplateFolder(root),
  ...(worker === 'portal' ? { site: join(values.data, 'site') } : {}),
  stateFolder,
  ...(worker === 'provider' ? { measureDisk: () => measureDiskSpace(stateFolder) } : {}),
  port: 0,
  ...(cardPort === null ? {} : { cardPort: 0 }),
  // The Workers trust the client's address if the front or a proxy sets it.
  bindings: clientAddress === 'none' ? bindings : { ...bindings, TRUST_PROXY: '1' },
  log: (_level, message) => console.error(message),
})
process.on('SIGTERM', () => void runtime.dispose().finally(() => process.exit(0)))
await runtime.ready
// Only the portal's responses are compressed: pages of the provider contain tokens of forms.
const frontOptions = { host, clientAddress, compresses: worker === 'portal' }
const name = getWorkerName(worker)
await startFront({ ...frontOptions, port: Number(values.port), target: await runtime.unsafeGetDirectURL(name) })
if (cardPort !== null)
  await startFront({
    ...frontOptions,
    port: cardPort,
    target: await runtime.unsafeGetDirectURL(name, CARD_PAGE_ENTRYPOINT),
  })
