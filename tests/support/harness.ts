import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DurableObjectEvictionOptions, DurableObjectStorageHandle, Miniflare } from 'miniflare'
import * as v from 'valibot'
import { ADMIN_PATHS, seedAnswer } from '../../contract/operator/operator-calls.ts'
import type { Env } from '../../provider/env.ts'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'
import { makeSite } from '../../scripts/lib/site.ts'
import { workerName, workerRuntime } from '../../scripts/lib/worker-runtime.ts'
import { optionsPath, type WorkerPart } from '../../scripts/lib/workers.ts'
import { copyState, type Ground, GROUND, root } from './ground.ts'
import { quickenDemoAccounts } from './quick-accounts.ts'

interface WorkerHandle {
  /** Bindings: database, Durable Objects, buckets and variables. */
  getEnv(): Promise<unknown>
  getDurableObjectStorage(binding: string, object: { name: string }): Promise<DurableObjectStorageHandle>
  evictDurableObject(className: string, options: DurableObjectEvictionOptions): Promise<void>
}

/** One built Worker with its own storage, which `close` deletes. */
export interface RunningWorker {
  readonly origin: string
  readonly printed: readonly string[]
  getWorker(): WorkerHandle
  /** Restarts the process on the same port and storage, with these bindings instead of the first ones. */
  restart(bindings: Change): Promise<void>
  /** Stops the process but keeps its storage in the folder `state`. `close` deletes that folder. */
  stop(): Promise<void>
  readonly state: string
  close(): Promise<void>
  readonly closed: Promise<void>
}

/** Real Workers on their own ports, with storage that lives as long as the stage. */
export interface Stage {
  readonly env: RunEnvironment
  readonly provider: RunningWorker
  /** Null if the stage runs the provider alone. */
  readonly portal: RunningWorker | null
  /** Creates the demo accounts and homes, with password hashes that are cheap to verify. */
  seed(): Promise<void>
  close(): Promise<void>
}

type Change = Record<string, string>

interface Options {
  /**
   * Also starts the portal's edge Worker. `'with its site'`: also prepares the pages for this run, as `npm start` does.
   */
  portal?: boolean | 'with its site'
  /** Starts with the demo accounts that `seed` creates. */
  seeded?: boolean
  /** Returns changes to the environment of both Workers. Called once their origins are chosen. */
  change?: (env: RunEnvironment) => Change | Promise<Change>
}

/**
 * Workers that are running or starting. `closeStages` closes them after each test file, even if the hook that opened
 * them failed.
 */
const opened = new Set<Promise<RunningWorker>>()

export async function closeStages(): Promise<void> {
  const all = await Promise.allSettled(opened)
  await Promise.all(all.flatMap((result) => (result.status === 'fulfilled' ? [result.value.close()] : [])))
}

/**
 * Starts one Worker from the files that `layGround` builds. `bindings`: its complete environment. The Worker listens
 * when the promise resolves.
 */
export function openWorker(worker: WorkerPart, bindings: Change, more: More = {}): Promise<RunningWorker> {
  const opening = startWorker(worker, bindings, more)
  const removeOpening = () => opened.delete(opening)
  opened.add(opening)
  opening.then((running) => running.closed.then(removeOpening), removeOpening)
  return opening
}

interface More {
  readonly port?: number
  readonly ground?: Ground
  /** Provider only: port that serves only the card page. */
  readonly cardPort?: number
  readonly makeSite?: (folder: string) => void
}

const FOR_TESTS = { inspect: true, bundleOnDemand: true }

async function startWorker(worker: WorkerPart, bindings: Change, more: More): Promise<RunningWorker> {
  const port = more.port ?? (await anyFreePort())
  const state = mkdtempSync(join(tmpdir(), `stage-${worker}-`))
  copyState(worker, state, more.ground)
  const site = more.makeSite && { site: join(state, 'site') }
  if (site) more.makeSite?.(site.site)
  const printed: string[] = []
  const log = (_: string, message: string) => void printed.push(message)
  const card = more.cardPort === undefined ? {} : { cardPort: more.cardPort }
  const run = { root, worker, configured: GROUND, state, port, ...card, bindings, log, ...FOR_TESTS }
  let runtime = workerRuntime({ ...run, ...site })
  const end = async () => {
    await runtime.dispose()
    rmSync(state, { recursive: true, force: true })
  }
  try {
    await runtime.ready
  } catch (error) {
    await end()
    throw error
  }
  const closing = Promise.withResolvers<void>()
  const close = () => end().finally(closing.resolve)
  const handle = createHandle(() => runtime, worker)
  const restart = async (changed: Change) => {
    await runtime.dispose()
    runtime = workerRuntime({ ...run, ...site, bindings: changed })
    await runtime.ready
  }
  const origin = `http://127.0.0.1:${port}`
  const stop = () => runtime.dispose()
  return { origin, printed, getWorker: () => handle, restart, stop, state, close, closed: closing.promise }
}

function createHandle(runtime: () => Miniflare, worker: WorkerPart): WorkerHandle {
  const name = workerName(worker)
  const { durableObjects } = JSON.parse(readFileSync(optionsPath(GROUND, worker), 'utf8')) as {
    durableObjects: Record<string, { className: string }>
  }
  return {
    getEnv: () => runtime().getBindings(name),
    getDurableObjectStorage: (binding, object) =>
      runtime().unsafeGetDurableObjectStorage(name, durableObjects[binding]?.className ?? binding, object),
    evictDurableObject: (className, options) => runtime().unsafeEvictDurableObject(name, className, options),
  }
}

const withSite = (env: RunEnvironment): More => ({
  makeSite: (folder) => makeSite(join(root, 'dist/client'), folder, env),
})

/** Returns true if the prepared seed data fits these settings. If not, the running provider seeds the accounts. */
const isAsSeeded = (env: RunEnvironment, base: RunEnvironment) =>
  env.BILLING_GATEWAY === base.BILLING_GATEWAY && env.DEMO === base.DEMO

/** Starts the provider, and optionally the portal. Ports are chosen first, so that each Worker boots only once. */
export async function openStage({ portal = false, seeded = false, change }: Options = {}): Promise<Stage> {
  const [providerPort, cardPort] = [await anyFreePort(), await anyFreePort()]
  const portalPort = portal ? await anyFreePort() : 8787
  const origins = {
    providerOrigin: `http://127.0.0.1:${providerPort}`,
    portalOrigin: `http://localhost:${portalPort}`,
    paymentOrigin: `http://127.0.0.1:${cardPort}`,
  }
  const base = makeEnvironment(makeSecrets(), { ...origins, buildId: 'test' })
  const env: RunEnvironment = { ...base, ...(await change?.(base)) }
  const ground = seeded && isAsSeeded(env, base) ? 'seeded' : 'empty'
  const [provider, edge] = await Promise.all([
    openWorker('provider', { ...env }, { port: providerPort, cardPort, ground }),
    portal ? openWorker('portal', { ...env }, { port: portalPort, ...(portal !== true && withSite(env)) }) : null,
  ])
  const seed = () => seedAccounts(provider, env.ADMIN_KEY)
  if (seeded && ground === 'empty') await seed()
  const close = async () => void (await Promise.all([edge?.close(), provider.close()]))
  return { env, provider, portal: edge, seed, close }
}

async function seedAccounts(provider: RunningWorker, key: string): Promise<void> {
  const headers = { authorization: `Admin ${key}` }
  const answer = await fetch(provider.origin + ADMIN_PATHS.seed, { method: 'POST', headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Seeding failed with ${answer.status}: ${text}`)
  const { failed } = v.parse(seedAnswer, JSON.parse(text)).data
  if (failed.length > 0) throw new Error(`These accounts could not be seeded: ${failed.join(', ')}`)
  await quickenDemoAccounts(((await provider.getWorker().getEnv()) as Env).DB)
}
