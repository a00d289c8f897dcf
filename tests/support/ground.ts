import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../scripts/lib/build.ts'
import { getTemplateFolder, buildTemplate as layRunGround } from '../../scripts/lib/data-template.ts'
import { buildWorkers, type WorkerPart } from '../../scripts/lib/workers.ts'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Folder with the options of both Workers and a migrated, empty database. Unseeded Workers copy the database. */
export const BASE_DATA_FOLDER = getTemplateFolder(projectRoot)

/**
 * Builds the missing or outdated files that test deployments need. Does not rebuild existing pages, because tests of
 * Workers only need pages to be present.
 */
export function prepareBaseData(): void {
  if (!existsSync(join(projectRoot, 'dist/client/index.html'))) buildPages(projectRoot, console.log)
  buildWorkers(projectRoot, console.log)
  layRunGround(projectRoot)
}

/** Initial content of a Worker's storage: empty tables, or the provider's tables with the demo accounts. */
export type InitialStorage = 'empty' | 'seeded'
export const SEEDED_STATE_FOLDER = join(projectRoot, 'dist/ground-seeded')

export function copyWorkerState(worker: WorkerPart, folder: string, initialStorage: InitialStorage = 'empty'): void {
  const from = initialStorage === 'seeded' ? SEEDED_STATE_FOLDER : join(BASE_DATA_FOLDER, 'state', worker, 'v3')
  if (existsSync(from)) cpSync(from, folder, { recursive: true })
}
