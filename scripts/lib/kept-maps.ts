import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Builds whose source maps are kept. */
const BUILDS = 10

/** Where the maps of all builds are kept, beside what is served. */
const keptIn = (root: string): string => join(root, 'dist/maps')

/** The folder of the source maps of a build: each under the address of its chunk, and `.map`. */
export const sourceMapFolder = (root: string, buildId: string): string => join(keptIn(root), buildId)

/** The folder of the source maps of a build's Workers: `portal.js.map`, `provider.js.map`. */
export const workerMapFolder = (root: string, buildId: string): string =>
  join(sourceMapFolder(root, buildId), 'workers')

/** The ids of all builds whose source maps are kept, the newest first. */
export function keptBuilds(root: string): string[] {
  const folder = keptIn(root)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name)
}

/** Puts the source maps of the Workers beside those of the pages of this build. */
export function storeWorkerMaps(root: string, buildId: string, maps: string): void {
  const target = workerMapFolder(root, buildId)
  if (existsSync(target)) return
  cpSync(maps, target, { recursive: true })
  pruneMaps(root)
}

/** Moves all source maps out of a folder that will be served. */
export function moveMaps(built: string, target: string): void {
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.map')) continue
    mkdirSync(dirname(join(target, name)), { recursive: true })
    renameSync(join(built, name), join(target, name))
  }
}

/** Takes away the maps of all builds but the newest. */
export function pruneMaps(root: string): void {
  const folder = keptIn(root)
  for (const name of keptBuilds(root).slice(BUILDS)) rmSync(join(folder, name), { recursive: true, force: true })
}
