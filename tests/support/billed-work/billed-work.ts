import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { BilledWork } from './counting-module.ts'

export type { BilledWork } from './counting-module.ts'

const COUNTING_MODULE = 'counting-module.js'

/** Returns the modules of a Worker that counts what Cloudflare bills; the first is the entry. `bundle`: its module. */
export function buildCountingModules(bundle: string, classNames: readonly string[]) {
  const entry = [
    `import * as bundle from './${bundle}'`,
    `import { countObject, countWorker } from './${COUNTING_MODULE}'`,
    `export * from './${bundle}'`,
    'export default countWorker(bundle.default)',
    ...classNames.map((name) => `export const ${name} = countObject('${name}', bundle.${name})`),
  ]
  const source = readFileSync(new URL('counting-module.ts', import.meta.url), 'utf8')
  return [
    { name: 'entry.js', contents: entry.join('\n') },
    { name: COUNTING_MODULE, contents: stripTypeScriptTypes(source) },
  ]
}

/** Returns the work of a counting Worker since the last call, and starts again at 0. */
export async function readBilledWork({ origin }: { readonly origin: string }): Promise<BilledWork> {
  const response = await fetch(`${origin}/api/billed-work`)
  return (await response.json()) as BilledWork
}

/** Object of a counting Worker. */
export interface CountedObject {
  runAlarm(): Promise<void>
}

export const sumCounts = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Billed work of one repetition of an action. */
export interface WorkPerAction {
  readonly rowsWritten: number
  readonly objectRequests: number
  readonly d1Queries: number
}

/** Number of consecutive reads without work after which a Worker counts as idle. */
const IDLE_READS = 3

/** Returns the work since the last read, including the work that the Worker does after its responses. */
export async function readWorkUntilIdle(worker: { readonly origin: string }): Promise<WorkPerAction> {
  let [rowsWritten, objectRequests, d1Queries] = [0, 0, 0]
  for (let idleReads = 0; idleReads < IDLE_READS; idleReads += 1) {
    const work = await readBilledWork(worker)
    if (work.d1Queries + sumCounts(work.rowsRead) + sumCounts(work.objectRequests) > 0) idleReads = -1
    rowsWritten += sumCounts(work.rowsWritten)
    objectRequests += sumCounts(work.objectRequests)
    d1Queries += work.d1Queries
  }
  return { rowsWritten, objectRequests, d1Queries }
}

/**
 * Returns the average work of an action that runs `times` times. It runs once before, because the first use of an
 * object creates its tables.
 */
export async function measureWorkPerAction(
  worker: { readonly origin: string },
  times: number,
  action: (n: number) => Promise<unknown>,
): Promise<WorkPerAction> {
  await action(0)
  await readWorkUntilIdle(worker)
  for (let n = 1; n <= times; n += 1) await action(n)
  const { rowsWritten, objectRequests, d1Queries } = await readWorkUntilIdle(worker)
  return {
    rowsWritten: rowsWritten / times,
    objectRequests: objectRequests / times,
    d1Queries: d1Queries / times,
  }
}
