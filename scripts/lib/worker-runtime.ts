import { readdirSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type MiniflareOptions,
  type Request,
  Response,
} from 'miniflare'
import type { DiskSpace } from '../../contract/cameras/storage-calls.ts'
import { hasBackupInProgress } from './backup/staging-folder.ts'
import { getBundleFolder, MAIN_MODULE, getOptionsPath, type WorkerPart } from './workers.ts'

export interface WorkerRun {
  readonly root: string
  readonly worker: WorkerPart
  /** Folder of the options files that `writeWorkerOptions` wrote. */
  readonly optionsFolder: string
  /** Folder of D1, Durable Object and R2 data, in the layout of `wrangler d1 migrations apply --local`. */
  readonly stateFolder: string
  /** 0 selects a free port, which `unsafeGetDirectURL` returns. */
  readonly port: number
  /** Port on which the provider serves only the card page; none by default. 0 selects a free port. */
  readonly cardPort?: number
  readonly bindings: Readonly<Record<string, string>>
  /** Provider only: measures the disk that holds its data. Without it, stored clips have no limit by free space. */
  readonly measureDisk?: () => Promise<DiskSpace>
  readonly log: (level: 'warn' | 'error', message: string) => void
  /** Folder that the portal serves instead of the configured one. */
  readonly site?: string
  /** Allows the calling process to read the storage of Durable Objects. */
  readonly inspect?: boolean
  /**
   * Serves the bundle on demand. Otherwise, Miniflare writes the bundle into its configuration, which takes 0.3 s of
   * CPU for the provider.
   */
  readonly bundleOnDemand?: boolean
  /** With `bundleOnDemand`: modules that import the bundle. The first is the entry. */
  readonly entryModules?: readonly { readonly name: string; readonly contents: string }[]
}

/** The provider's entrypoint for the card page (provider/index.ts). */
export const CARD_PAGE_ENTRYPOINT = 'CardPage'

/** Source of the entry module for `bundleOnDemand`; it re-exports the bundle. */
const ENTRY_SOURCE = `export * from './${MAIN_MODULE}'\nexport { default } from './${MAIN_MODULE}'`

/**
 * Responds to the runtime's request for a module that its configuration does not contain: with the bundle at `path`, or
 * with 404 if the request is for another module.
 */
function serveModule({ url }: Request, path: string): Response {
  if (new URL(url).searchParams.get('specifier') !== `/${MAIN_MODULE}`) return new Response(null, { status: 404 })
  return Response.json({ name: MAIN_MODULE, esModule: readFileSync(path, 'utf8') })
}

export const getWorkerName = (worker: WorkerPart): string => `porchlight-${worker}`

/**
 * Starts a built Worker without `wrangler dev`, whose tools show every table to anyone who reaches the port
 * (docs/decisions/0013). The Worker listens on 127.0.0.1 when `ready` resolves.
 */
export function startWorkerRuntime(run: WorkerRun): Miniflare {
  const bundle = getBundleFolder(run.root, run.worker)
  const otherModules = readdirSync(bundle).filter((name) => name !== MAIN_MODULE)
  const main = { type: 'ESModule' as const, path: join(bundle, MAIN_MODULE) }
  const entryModules = (run.entryModules ?? [{ name: 'entry.js', contents: ENTRY_SOURCE }]).map(
    ({ name, contents }) => ({ type: 'ESModule' as const, path: join(bundle, name), contents }),
  )
  const workerOptions = JSON.parse(readFileSync(getOptionsPath(run.optionsFolder, run.worker), 'utf8')) as {
    assets?: { directory: string }
  }
  const options = convertV4MiniflareOptions({
    host: '127.0.0.1',
    // Port of Miniflare's own proxy server, which receives no requests.
    port: 0,
    resourcePersistencePath: run.stateFolder,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'warn' || level === 'error') run.log(level, message)
    },
    cf: false,
    telemetry: { enabled: false },
    unsafeLocalExplorer: false,
    unsafeObservability: false,
    ...(run.inspect ? { unsafeInspectDurableObjects: true } : {}),
    ...(run.bundleOnDemand ? { unsafeModuleFallbackService: (request) => serveModule(request, main.path) } : {}),
    workers: [
      {
        ...workerOptions,
        ...(run.site === undefined ? {} : { assets: { ...workerOptions.assets, directory: run.site } }),
        name: getWorkerName(run.worker),
        // Opens ports that lead directly to the Worker. Through Miniflare's proxy, a rejected request would cost 0.55
        // ms of CPU instead of 0.35 ms (docs/decisions/0013).
        unsafeDirectSockets: [
          { host: '127.0.0.1', port: run.port },
          ...(run.cardPort === undefined
            ? []
            : [{ host: '127.0.0.1', port: run.cardPort, entrypoint: CARD_PAGE_ENTRYPOINT }]),
        ],
        modulesRoot: bundle,
        ...(run.bundleOnDemand ? { unsafeUseModuleFallbackService: true } : {}),
        modules: [
          ...(run.bundleOnDemand ? entryModules : [main]),
          ...otherModules.map((name) => ({ type: 'Data' as const, path: join(bundle, name) })),
        ],
        // workerd implements no jurisdictions: all data is on this machine.
        bindings: { ...run.bindings, JURISDICTION: '' },
      },
    ],
  })
  if (run.measureDisk) addDiskBinding(options, run.measureDisk)
  return new Miniflare(options)
}

/** Adds the binding `DISK`, through which the provider asks this process for the free disk space. */
function addDiskBinding({ workers }: MiniflareOptions, measureDisk: () => Promise<DiskSpace>): void {
  const handler = async () => {
    try {
      return Response.json(await measureDisk())
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  }
  for (const { config } of workers) config.env = { ...config.env, DISK: { type: 'fetcher', handler } }
}

/**
 * Measures the disk that holds `folder`, which is in the data folder `data`. Rejects if the folder cannot be read, and
 * during a backup: the backup links the clips, so deleting clips would free no space.
 */
export async function measureDiskSpace(folder: string, data: string): Promise<DiskSpace> {
  if (hasBackupInProgress(data)) throw new Error('A backup is running.')
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
