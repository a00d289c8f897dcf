import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type Request, Response } from 'miniflare'
import { bundleFolder, MAIN_MODULE, optionsPath, type WorkerPart } from './workers.ts'

/** How one built Worker is run. */
export interface WorkerRun {
  /** The project's folder. */
  readonly root: string
  readonly worker: WorkerPart
  /** Where `writeWorkerOptions` left the Worker's configuration. */
  readonly configured: string
  /** Where tables, objects and files are kept, as `wrangler d1 migrations apply --local` keeps them. */
  readonly state: string
  readonly port: number
  /** Where the provider serves the card page and nothing else; none by default. */
  readonly cardPort?: number
  readonly bindings: Readonly<Record<string, string>>
  /** What the Worker writes at these levels. */
  readonly log: (level: 'warn' | 'error', message: string) => void
  /** The folder that the portal serves instead of the configured one. */
  readonly site?: string
  /** Let the process look into the storage of Durable Objects. */
  readonly inspect?: boolean
  /** Serves the bundle on demand: Miniflare takes 0.3 s of CPU to write the provider's bundle into its configuration. */
  readonly bundleOnDemand?: boolean
}

/** The provider's entrypoint of that page (provider/index.ts). */
const CARD_PAGE = 'CardPage'

/** Placeholder for the bundle. */
const ENTRY = `export * from './${MAIN_MODULE}'\nexport { default } from './${MAIN_MODULE}'`

/** Answers the runtime's request for a module that its configuration does not hold. */
function answerModule({ url }: Request, path: string): Response {
  if (new URL(url).searchParams.get('specifier') !== `/${MAIN_MODULE}`) return new Response(null, { status: 404 })
  return Response.json({ name: MAIN_MODULE, esModule: readFileSync(path, 'utf8') })
}

export const workerName = (worker: WorkerPart): string => `porchlight-${worker}`

/**
 * A built Worker in the runtime of the platform: without the second runtime that `wrangler dev` puts in front and without its
 * tools, which show every table to whoever reaches the port (docs/decisions/0013). It listens on 127.0.0.1 when `ready` resolves.
 */
export function workerRuntime(run: WorkerRun): Miniflare {
  const bundle = bundleFolder(run.root, run.worker)
  const others = readdirSync(bundle).filter((name) => name !== MAIN_MODULE)
  const main = { type: 'ESModule' as const, path: join(bundle, MAIN_MODULE) }
  const entry = { type: 'ESModule' as const, path: join(bundle, 'entry.js'), contents: ENTRY }
  const configured = JSON.parse(readFileSync(optionsPath(run.configured, run.worker), 'utf8')) as {
    assets?: { directory: string }
  }
  return new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      // Of the runtime's own front, which nobody is told of.
      port: 0,
      resourcePersistencePath: run.state,
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
      ...(run.bundleOnDemand ? { unsafeModuleFallbackService: (request) => answerModule(request, main.path) } : {}),
      workers: [
        {
          ...configured,
          ...(run.site === undefined ? {} : { assets: { ...configured.assets, directory: run.site } }),
          name: workerName(run.worker),
          // Straight to the Worker: what is in front otherwise costs a third more for each request.
          unsafeDirectSockets: [
            { host: '127.0.0.1', port: run.port },
            ...(run.cardPort === undefined ? [] : [{ host: '127.0.0.1', port: run.cardPort, entrypoint: CARD_PAGE }]),
          ],
          modulesRoot: bundle,
          ...(run.bundleOnDemand ? { unsafeUseModuleFallbackService: true } : {}),
          modules: [
            run.bundleOnDemand ? entry : main,
            ...others.map((name) => ({ type: 'Data' as const, path: join(bundle, name) })),
          ],
          bindings: { ...run.bindings },
        },
      ],
    }),
  )
}
