import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MAX_BUILDS = 10

/** Returns the folder with the source maps of all builds, which is outside of the served files. */
const getMapsFolder = (root: string): string => join(root, 'dist/maps')

/** Returns the folder with the source maps of a build. Each map has the path of its chunk plus `.map`. */
export const getSourceMapFolder = (root: string, buildId: string): string => join(getMapsFolder(root), buildId)

/** Returns the folder of the Workers' source maps of a build: `portal.js.map`, `provider.js.map`. */
export const getWorkerMapFolder = (root: string, buildId: string): string =>
  join(getSourceMapFolder(root, buildId), 'workers')

/** Returns the ids of all builds with stored source maps, newest first. */
export function listStoredBuilds(root: string): string[] {
  const folder = getMapsFolder(root)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name)
}

export function storeWorkerMaps(root: string, buildId: string, maps: string): void {
  const target = getWorkerMapFolder(root, buildId)
  if (existsSync(target)) return
  cpSync(maps, target, { recursive: true })
  pruneMaps(root)
}

/** Moves all source maps out of a folder that will be served. */
export function moveMaps(builtFolder: string, target: string): void {
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(builtFolder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.map')) continue
    mkdirSync(dirname(join(target, name)), { recursive: true })
    renameSync(join(builtFolder, name), join(target, name))
  }
}

export function pruneMaps(root: string): void {
  const folder = getMapsFolder(root)
  for (const name of listStoredBuilds(root).slice(MAX_BUILDS))
    rmSync(join(folder, name), { recursive: true, force: true })
}
