/**
 * Runs one built Worker for `npm start` until the process receives a stop signal. A front server receives all requests
 * and forwards them to the Worker's own port (docs/decisions/0096). With a certificate, fronts also serve the addresses
 * of the local network (docs/decisions/0097).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { getTemplateFolder } from './lib/data-template.ts'
import { getClientAddressSource } from './front/headers.ts'
import { startFront, type FrontOptions } from './front/front-server.ts'
import { LanListeners, type LanListenerOptions } from './lib/lan/lan-listeners.ts'
import { createTrustContent, startTrustServer } from './lib/lan/trust-server.ts'
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
    // Files of the certificate and key for the local network.
    'lan-cert': { type: 'string' },
    'lan-key': { type: 'string' },
    // Certificate of the authority and port of the page that offers it.
    'lan-ca': { type: 'string' },
    'trust-port': { type: 'string' },
  },
})
const worker = values.worker as WorkerPart
const { host, 'lan-cert': lanCert, 'lan-key': lanKey, 'lan-ca': lanCa } = values
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
  ...(worker === 'provider' ? { measureDisk: () => measureDiskSpace(stateFolder, values.data) } : {}),
  port: 0,
  ...(cardPort === null ? {} : { cardPort: 0 }),
  // The Workers trust the client's address if the front or a proxy sets it.
  bindings: clientAddress === 'none' && lanCert === undefined ? bindings : { ...bindings, TRUST_PROXY: '1' },
  log: (_level, message) => console.error(message),
})
process.on('SIGTERM', () => void runtime.dispose().finally(() => process.exit(0)))
await runtime.ready
const name = getWorkerName(worker)
const targets = [
  { port: Number(values.port), target: await runtime.unsafeGetDirectURL(name) },
  ...(cardPort === null
    ? []
    : [{ port: cardPort, target: await runtime.unsafeGetDirectURL(name, CARD_PAGE_ENTRYPOINT) }]),
]
// Only the portal's responses are compressed: pages of the provider contain tokens of forms.
const frontOptions = { compresses: worker === 'portal', pageOrigin: findPageOrigin() }
for (const target of targets) await startFront({ ...frontOptions, ...target, host, clientAddress })

if (lanCert !== undefined && lanKey !== undefined) {
  const openFront = (target: (typeof targets)[number]) => (address: string, tls: NonNullable<FrontOptions['tls']>) =>
    startFront({ ...frontOptions, ...target, host: address, clientAddress: 'socket', tls })
  const files = { cert: lanCert, key: lanKey }
  const log = (line: string) => console.error(line)
  const opens: LanListenerOptions['open'][] = targets.map(openFront)
  if (lanCa !== undefined) {
    const [certificate, port] = [readFileSync(lanCa, 'utf8'), Number(values['trust-port'])]
    const content = createTrustContent(certificate, bindings['PORTAL_ORIGIN'] ?? '', port)
    opens.push((address, tls) => startTrustServer({ host: address, port, tls, certificate, content }))
  }
  for (const open of opens) await new LanListeners({ files, open, log }).start()
}

/** Returns the portal's origin if this port is the one that browsers open. A proxy may change the host. */
function findPageOrigin(): string | undefined {
  const origin = bindings['PORTAL_ORIGIN']
  if (worker !== 'portal' || origin === undefined || bindings['TRUST_PROXY'] === '1') return undefined
  return new URL(origin).port === values.port ? origin : undefined
}
