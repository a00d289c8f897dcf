/**
 * `worker-options.ts DATA SITE`: writes the Miniflare options of both wrangler configurations to DATA. SITE: folder
 * that the portal serves.
 */
import { writeFileSync } from 'node:fs'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { getOptionsPath, WORKER_CONFIGS, type WorkerPart } from './lib/workers.ts'

const [data = '', site = ''] = process.argv.slice(2)
for (const [worker, config] of Object.entries(WORKER_CONFIGS) as [WorkerPart, string][]) {
  const overrides = worker === 'portal' ? { assets: { directory: site } } : {}
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, undefined, { overrides })
  writeFileSync(getOptionsPath(data, worker), JSON.stringify(workerOptions))
}
