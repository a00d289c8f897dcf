import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeBuildId, fingerprintSources, replace } from './build.ts'
import { storeWorkerMaps } from './kept-maps.ts'
import { Stop } from './stop.ts'
import { wrangler } from './wrangler.ts'

export type WorkerPart = 'portal' | 'provider'

const SOURCES = ['functions', 'provider', 'contract', 'src/domain', 'wrangler.toml', 'package-lock.json']
export const WORKER_CONFIGS: Readonly<Record<WorkerPart, string>> = {
  provider: 'provider/wrangler.toml',
  portal: 'wrangler.toml',
}
/** Entry module of a Worker. Modules that the Worker includes unchanged are files in the same folder. */
export const MAIN_MODULE = 'index.js'

export const bundleFolder = (root: string, worker: WorkerPart): string => join(root, 'dist/workers', worker)
export const optionsPath = (data: string, worker: WorkerPart): string => join(data, `${worker}.worker.json`)

/**
 * Builds both Workers as a deployment does, if their sources have changed since the last build, and stores their source
 * maps.
 */
export function buildWorkers(root: string, say: (line: string) => void): void {
  const maps = join(root, 'dist/workers-maps')
  buildBundles(root, maps, say)
  storeWorkerMaps(root, computeBuildId(root), maps)
}

/** `maps`: output folder of the source maps, one per Worker. */
function buildBundles(root: string, maps: string, say: (line: string) => void): void {
  const fingerprint = fingerprintSources(root, SOURCES)
  const stamp = join(root, 'dist', '.workers')
  const workers = Object.entries(WORKER_CONFIGS) as [WorkerPart, string][]
  const isThere = workers.every(
    ([worker]) =>
      existsSync(join(bundleFolder(root, worker), MAIN_MODULE)) && existsSync(join(maps, `${worker}.js.map`)),
  )
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  say('Building the Workers ...')
  // Separate folders: two starts of one clone may build at the same time.
  const fresh = join(root, 'dist', `.workers-${process.pid}`)
  mkdirSync(join(fresh, 'maps'), { recursive: true })
  for (const [worker, config] of workers) {
    wrangler(root, 'deploy', '--dry-run', '--config', config, '--outdir', join(fresh, worker))
    writeTrimmedMap(join(fresh, worker, `${MAIN_MODULE}.map`), join(fresh, 'maps', `${worker}.js.map`))
    for (const name of readdirSync(join(fresh, worker)).filter((file) => /\.(map|md)$/.test(file)))
      rmSync(join(fresh, worker, name))
    replace(bundleFolder(root, worker), join(fresh, worker))
  }
  replace(maps, join(fresh, 'maps'))
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(stamp, fingerprint)
}

/** Reduces a source map to positions: drops the source texts and the folders of this machine. */
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

/** Writes the options of both Workers of this run, in a separate process because wrangler is large. */
export function writeWorkerOptions(root: string, data: string, site: string): void {
  mkdirSync(data, { recursive: true })
  const done = spawnSync(process.execPath, ['scripts/worker-options.ts', data, site], { cwd: root, encoding: 'utf8' })
  if (done.status !== 0) throw new Stop(`The Workers could not be configured:\n${done.stdout}${done.stderr}`)
}
