import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintOf, replace } from './build.ts'
import { Stop } from './stop.ts'
import { wrangler } from './wrangler.ts'

export type WorkerPart = 'portal' | 'provider'

/** What the Workers are made of. */
const SOURCES = ['functions', 'provider', 'contract', 'src/domain', 'wrangler.toml', 'package-lock.json']
export const WORKER_CONFIGS: Readonly<Record<WorkerPart, string>> = {
  provider: 'provider/wrangler.toml',
  portal: 'wrangler.toml',
}
/** The module that a Worker begins with; beside it lie those that it brings in as they are. */
export const MAIN_MODULE = 'index.js'

/** The folder of a Worker as it would be uploaded. */
export const bundleOf = (root: string, worker: WorkerPart): string => join(root, 'dist/workers', worker)
/** How a run's Worker is configured, in the words of miniflare. */
export const optionsFileOf = (data: string, worker: WorkerPart): string => join(data, `${worker}.worker.json`)

/** Builds both Workers, as a deployment does, when their sources have changed since the last time. */
export function buildWorkers(root: string, say: (line: string) => void): void {
  const fingerprint = fingerprintOf(root, SOURCES)
  const stamp = join(root, 'dist', '.workers')
  const workers = Object.entries(WORKER_CONFIGS) as [WorkerPart, string][]
  const isThere = workers.every(([worker]) => existsSync(join(bundleOf(root, worker), MAIN_MODULE)))
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return
  say('Building the Workers ...')
  // Into folders of their own: two starts of one clone may build at the same time.
  const fresh = join(root, 'dist', `.workers-${process.pid}`)
  for (const [worker, config] of workers) {
    wrangler(root, 'deploy', '--dry-run', '--config', config, '--outdir', join(fresh, worker))
    for (const name of readdirSync(join(fresh, worker)).filter((file) => /\.(map|md)$/.test(file)))
      rmSync(join(fresh, worker, name))
    replace(bundleOf(root, worker), join(fresh, worker))
  }
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(stamp, fingerprint)
}

/** Writes how both Workers of this run are configured; in a process of its own, because wrangler is large. */
export function writeWorkerOptions(root: string, data: string, site: string): void {
  mkdirSync(data, { recursive: true })
  const done = spawnSync(process.execPath, ['scripts/worker-options.ts', data, site], { cwd: root, encoding: 'utf8' })
  if (done.status !== 0) throw new Stop(`The Workers could not be configured:\n${done.stdout}${done.stderr}`)
}
