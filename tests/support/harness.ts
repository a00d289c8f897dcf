import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DurableObjectEvictionOptions, DurableObjectStorageHandle, Miniflare } from 'miniflare'
import * as v from 'valibot'
import type { DiskSpace } from '../../contract/cameras/storage-calls.ts'
import { ADMIN_PATHS, seedResponse } from '../../contract/operator/operator-calls.ts'
import type { Env } from '../../provider/env.ts'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'
import { makeSite } from '../../scripts/lib/site.ts'
import { getWorkerName, startWorkerRuntime } from '../../scripts/lib/worker-runtime.ts'
import { getOptionsPath, MAIN_MODULE, type WorkerPart } from '../../scripts/lib/workers.ts'
import { buildCountingModules } from './billed-work/billed-work.ts'
import { copyWorkerState, type InitialStorage, BASE_DATA_FOLDER, projectRoot } from './ground.ts'
import { createTestBindings } from './direct-writes.ts'
import { setCheapDemoPasswords } from './quick-accounts.ts'

interface WorkerHandle {
  /** Bindings: database, Durable Objects, buckets and variables. */
  getEnv(): Promise<unknown>
  getDurableObjectStorage(binding: string, object: { name: string }): Promise<DurableObjectStorageHandle>
  evictDurableObject(className: string, options: DurableObjectEvictionOptions): Promise<void>
}

/** One built Worker with its own storage, which `close` deletes. */
export interface RunningWorker {
  readonly origin: string
  readonly outputLines: readonly string[]
  getWorker(): WorkerHandle
  /** Restarts the process on the same port and storage, but with these bindings. */
  restart(bindings: EnvironmentChange): Promise<void>
  /** Stops the process but retains its storage in `stateFolder`. `close` deletes that folder. */
  stop(): Promise<void>
  readonly stateFolder: string
  close(): Promise<void>
  readonly closed: Promise<void>
}

/** Real Workers on their own ports. `close` stops them and deletes their storage. */
export interface TestDeployment {
  readonly env: RunEnvironment
  readonly provider: RunningWorker
  /** Null if the deployment runs only the provider. */
  readonly portal: RunningWorker | null
  /** Creates the demo accounts and homes, with password hashes that are cheap to verify. */
  seed(): Promise<void>
  close(): Promise<void>
}

type EnvironmentChange = Record<string, string>

interface TestDeploymentOptions {
  /**
   * Also starts the portal's edge Worker. `'with its site'`: also prepares the pages for this run, as `npm start` does.
   */
  portal?: boolean | 'with its site'
  /** Starts with the demo accounts that `seed` creates. */
  seeded?: boolean
  /** Returns changes to the environment of both Workers. Called after the origins of the Workers are chosen. */
  change?: (env: RunEnvironment) => EnvironmentChange | Promise<EnvironmentChange>
  /** Disk of the provider; without it, clips have no limit by free space. */
  measureDisk?: () => Promise<DiskSpace>
  /** Counts what Cloudflare bills (billed-work/billed-work.ts). */
  countsWork?: boolean
}

/**
 * Workers that are running or starting. `closeTestDeployments` closes them after each test file, even if the hook that
 * opened them failed.
 */
const openWorkers = new Set<Promise<RunningWorker>>()

export async function closeTestDeployments(): Promise<void> {
  const all = await Promise.allSettled(openWorkers)
  await Promise.all(all.flatMap((result) => (result.status === 'fulfilled' ? [result.value.close()] : [])))
}

/**
 * Starts one Worker from the files that `prepareBaseData` builds. `bindings`: its complete environment. The promise
 * resolves when the Worker listens.
 */
export function openWorker(
  worker: WorkerPart,
  bindings: EnvironmentChange,
  options: WorkerOptions = {},
): Promise<RunningWorker> {
  const opening = startWorker(worker, bindings, options)
  const removeOpening = () => openWorkers.delete(opening)
  openWorkers.add(opening)
  opening.then((running) => running.closed.then(removeOpening), removeOpening)
  return opening
}

interface WorkerOptions {
  readonly port?: number
  readonly initialStorage?: InitialStorage
  /** Provider only: port that serves only the card page. */
  readonly cardPort?: number
  readonly makeSite?: (folder: string) => void
  /** Provider only: disk on which clips may use all space except the reserve. */
  readonly measureDisk?: () => Promise<DiskSpace>
  readonly countsWork?: boolean
}

const TEST_RUNTIME_OPTIONS = { inspect: true, bundleOnDemand: true }

async function startWorker(
  worker: WorkerPart,
  bindings: EnvironmentChange,
  options: WorkerOptions,
): Promise<RunningWorker> {
  const port = options.port ?? (await findFreePort())
  const stateFolder = mkdtempSync(join(tmpdir(), `stage-${worker}-`))
  copyWorkerState(worker, stateFolder, options.initialStorage)
  const siteOptions = options.makeSite && { site: join(stateFolder, 'site') }
  if (siteOptions) options.makeSite?.(siteOptions.site)
  const outputLines: string[] = []
  const log = (_: string, message: string) => void outputLines.push(message)
  const cardOptions = options.cardPort === undefined ? {} : { cardPort: options.cardPort }
  const diskOptions = options.measureDisk && { measureDisk: options.measureDisk }
  const runtimeOptions = {
    root: projectRoot,
    worker,
    optionsFolder: BASE_DATA_FOLDER,
    stateFolder,
    port,
    ...cardOptions,
    ...diskOptions,
    ...(options.countsWork && { entryModules: buildCountingModules(MAIN_MODULE, listClassNames(worker)) }),
    bindings,
    log,
    ...TEST_RUNTIME_OPTIONS,
  }
  let runtime = startWorkerRuntime({ ...runtimeOptions, ...siteOptions })
  const dispose = async () => {
    await runtime.dispose()
    rmSync(stateFolder, { recursive: true, force: true })
  }
  try {
    await runtime.ready
  } catch (error) {
    await dispose()
    throw error
  }
  const closing = Promise.withResolvers<void>()
  const close = () => dispose().finally(closing.resolve)
  const handle = createHandle(() => runtime, worker)
  const restart = async (changed: EnvironmentChange) => {
    await runtime.dispose()
    runtime = startWorkerRuntime({ ...runtimeOptions, ...siteOptions, bindings: changed })
    await runtime.ready
  }
  const origin = `http://127.0.0.1:${port}`
  const stop = () => runtime.dispose()
  return {
    origin,
    outputLines,
    getWorker: () => handle,
    restart,
    stop,
    stateFolder,
    close,
    closed: closing.promise,
  }
}

/** Returns the classes of the Worker's Durable Objects, by binding. */
function readObjectClasses(worker: WorkerPart): Record<string, { className: string }> {
  const { durableObjects } = JSON.parse(readFileSync(getOptionsPath(BASE_DATA_FOLDER, worker), 'utf8')) as {
    durableObjects: Record<string, { className: string }>
  }
  return durableObjects
}

const listClassNames = (worker: WorkerPart) =>
  Object.values(readObjectClasses(worker)).map(({ className }) => className)

function createHandle(runtime: () => Miniflare, worker: WorkerPart): WorkerHandle {
  const name = getWorkerName(worker)
  const durableObjects = readObjectClasses(worker)
  return {
    getEnv: async () => {
      const bindings = await runtime().getBindings(name)
      return worker === 'provider' ? createTestBindings(bindings as unknown as Env) : bindings
    },
    getDurableObjectStorage: (binding, object) =>
      runtime().unsafeGetDurableObjectStorage(name, durableObjects[binding]?.className ?? binding, object),
    evictDurableObject: (className, options) => runtime().unsafeEvictDurableObject(name, className, options),
  }
}

const createSiteOptions = (env: RunEnvironment): WorkerOptions => ({
  makeSite: (folder) => makeSite(join(projectRoot, 'dist/client'), folder, env),
})

/** Returns true if the prepared seed data matches these settings. If not, the running provider seeds the accounts. */
const matchesSeededState = (env: RunEnvironment, base: RunEnvironment) =>
  env.BILLING_GATEWAY === base.BILLING_GATEWAY && env.DEMO === base.DEMO

/** Starts the provider, and optionally the portal. Chooses the ports first, so that each Worker starts only once. */
export async function openTestDeployment({
  portal = false,
  seeded = false,
  change,
  measureDisk,
  countsWork = false,
}: TestDeploymentOptions = {}): Promise<TestDeployment> {
  const [providerPort, cardPort] = [await findFreePort(), await findFreePort()]
  const portalPort = portal ? await findFreePort() : 8787
  const origins = {
    providerOrigin: `http://127.0.0.1:${providerPort}`,
    portalOrigin: `http://localhost:${portalPort}`,
    paymentOrigin: `http://127.0.0.1:${cardPort}`,
  }
  const base = makeEnvironment(makeSecrets(), { ...origins, buildId: 'test' })
  const env: RunEnvironment = { ...base, ...(await change?.(base)) }
  const initialStorage = seeded && matchesSeededState(env, base) ? 'seeded' : 'empty'
  const [provider, edge] = await Promise.all([
    openWorker(
      'provider',
      { ...env },
      {
        port: providerPort,
        cardPort,
        initialStorage,
        countsWork,
        ...(measureDisk && { measureDisk }),
      },
    ),
    portal
      ? openWorker(
          'portal',
          { ...env },
          { port: portalPort, countsWork, ...(portal !== true && createSiteOptions(env)) },
        )
      : null,
  ])
  const seed = () => seedAccounts(provider, env.ADMIN_KEY)
  if (seeded && initialStorage === 'empty') await seed()
  const close = async () => void (await Promise.all([edge?.close(), provider.close()]))
  return { env, provider, portal: edge, seed, close }
}

async function seedAccounts(provider: RunningWorker, key: string): Promise<void> {
  const headers = { authorization: `Admin ${key}` }
  const answer = await fetch(provider.origin + ADMIN_PATHS.seed, { method: 'POST', headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Seeding failed with ${answer.status}: ${text}`)
  const { failed } = v.parse(seedResponse, JSON.parse(text)).data
  if (failed.length > 0) throw new Error(`These accounts could not be seeded: ${failed.join(', ')}`)
  await setCheapDemoPasswords(((await provider.getWorker().getEnv()) as Env).DB)
}
