import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../scripts/lib/build.ts'
import { groundFolder, layGround as layRunGround } from '../../scripts/lib/ground.ts'
import { buildWorkers, type WorkerPart } from '../../scripts/lib/workers.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folder that every stage copies: options of both Workers and a migrated database. */
export const GROUND = groundFolder(root)

/**
 * Builds the files that stages start from if they are missing or outdated. Does not rebuild existing pages, because
 * tests of Workers only need pages to be present.
 */
export function layGround(): void {
  if (!existsSync(join(root, 'dist/client/index.html'))) buildPages(root, console.log)
  buildWorkers(root, console.log)
  layRunGround(root)
}

/** Source of a Worker's storage: empty tables, or the provider's tables with the demo accounts. */
export type Ground = 'empty' | 'seeded'
export const SEEDED = join(root, 'dist/ground-seeded')

export function copyState(worker: WorkerPart, folder: string, ground: Ground = 'empty'): void {
  const from = ground === 'seeded' ? SEEDED : join(GROUND, 'state', worker, 'v3')
  if (existsSync(from)) cpSync(from, folder, { recursive: true })
}
