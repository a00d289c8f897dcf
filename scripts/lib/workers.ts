import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeBuildId, fingerprintSources, replaceFolder } from './build.ts'
import { storeWorkerMaps } from './source-maps.ts'
import { StopError } from './stop.ts'
import { wrangler } from './wrangler.ts'

export type WorkerPart = 'portal' | 'provider'

const WORKER_SOURCES = ['functions', 'provider', 'contract', 'src/domain', 'wrangler.toml', 'package-lock.json']
export const WORKER_CONFIGS: Readonly<Record<WorkerPart, string>> = {
  provider: 'provider/wrangler.toml',
  portal: 'wrangler.toml',
}
/** File name of a Worker's entry module. Modules that are not JavaScript, such as a font, are in the same folder. */
export const MAIN_MODULE = 'index.js'

export const getBundleFolder = (root: string, worker: WorkerPart): string => join(root, 'dist/workers', worker)
export const getOptionsPath = (data: string, worker: WorkerPart): string => join(data, `${worker}.worker.json`)

/**
 * Builds both Workers like a deployment, unless their sources are unchanged. Stores their source maps under the current
 * build id.
 */
export function buildWorkers(root: string, printLine: (line: string) => void): void {
  const mapsFolder = join(root, 'dist/workers-maps')
  buildBundles(root, mapsFolder, printLine)
  storeWorkerMaps(root, computeBuildId(root), mapsFolder)
}

function buildBundles(root: string, mapsFolder: string, printLine: (line: string) => void): void {
  const fingerprint = fingerprintSources(root, WORKER_SOURCES)
  const stampPath = join(root, 'dist', '.workers')
  const workers = Object.entries(WORKER_CONFIGS) as [WorkerPart, string][]
  const areBundlesBuilt = workers.every(
    ([worker]) =>
      existsSync(join(getBundleFolder(root, worker), MAIN_MODULE)) && existsSync(join(mapsFolder, `${worker}.js.map`)),
  )
  if (areBundlesBuilt && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === fingerprint) return
  printLine('Building the Workers…')
  // The process id makes the folder unique: two starts of one clone may build at the same time.
  const buildFolder = join(root, 'dist', `.workers-${process.pid}`)
  mkdirSync(join(buildFolder, 'maps'), { recursive: true })
  for (const [worker, config] of workers) {
    wrangler(root, 'deploy', '--dry-run', '--config', config, '--outdir', join(buildFolder, worker))
    writeTrimmedMap(join(buildFolder, worker, `${MAIN_MODULE}.map`), join(buildFolder, 'maps', `${worker}.js.map`))
    for (const name of readdirSync(join(buildFolder, worker)).filter((file) => /\.(map|md)$/.test(file)))
      rmSync(join(buildFolder, worker, name))
    replaceFolder(getBundleFolder(root, worker), join(buildFolder, worker))
  }
  replaceFolder(mapsFolder, join(buildFolder, 'maps'))
  rmSync(buildFolder, { recursive: true, force: true })
  writeFileSync(stampPath, fingerprint)
}

/** Reduces a source map to positions: drops the source texts and this machine's folder names. */
function writeTrimmedMap(path: string, target: string): void {
  const {
    sourceRoot: _root,
    sourcesContent: _texts,
    ...map
  } = JSON.parse(readFileSync(path, 'utf8')) as object & {
    readonly sourceRoot?: unknown
    readonly sourcesContent?: unknown
  }
  writeFileSync(target, JSON.stringify(map))
}

/**
 * Writes the Miniflare options of both Workers to the folder `data`. Runs a separate process, so that only that process
 * loads wrangler, which is slow to load. Throws a `StopError` if the process fails.
 */
export function writeWorkerOptions(root: string, data: string, site: string): void {
  mkdirSync(data, { recursive: true })
  const result = spawnSync(process.execPath, ['scripts/worker-options.ts', data, site], { cwd: root, encoding: 'utf8' })
  if (result.status !== 0) throw new StopError(`The Workers couldn't be configured:\n${result.stdout}${result.stderr}`)
}
