import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Builds whose source maps are kept. */
const BUILDS = 10

/** Where the maps of all builds are kept, beside what is served. */
const keptIn = (root: string): string => join(root, 'dist/maps')

/** The folder of the source maps of a build: each under the address of its chunk, and `.map`. */
export const mapsOf = (root: string, buildId: string): string => join(keptIn(root), buildId)

/** Moves all source maps out of a folder that will be served. */
export function takeMaps(built: string, target: string): void {
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
  if (!existsSync(folder)) return
  const age = (name: string) => statSync(join(folder, name)).mtimeMs
  const newestFirst = readdirSync(folder)
    .map((name) => ({ name, at: age(name) }))
    .sort((a, b) => b.at - a.at)
  for (const { name } of newestFirst.slice(BUILDS)) rmSync(join(folder, name), { recursive: true, force: true })
}
