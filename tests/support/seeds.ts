import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintSources, replaceFolder } from '../../scripts/lib/build.ts'
import { projectRoot, SEEDED_STATE_FOLDER } from './ground.ts'
import { openTestDeployment } from './harness.ts'

/**
 * Maximum age of the copied storage. An older copy has outdated plan dates, because they are relative to the time of
 * seeding.
 */
const MAX_AGE_MS = 30 * 60_000
const FINGERPRINT_SOURCES = ['dist/workers/provider', 'dist/ground/stamp', 'tests/support/quick-accounts.ts']

/** Stores a copy of the provider's seeded storage, unless a current copy exists. Requires `prepareBaseData`. */
export async function prepareSeededStorage(): Promise<void> {
  const fingerprint = fingerprintSources(projectRoot, FINGERPRINT_SOURCES)
  if (isFresh(fingerprint)) return
  const newFolder = `${SEEDED_STATE_FOLDER}-${process.pid}`
  const deployment = await openTestDeployment()
  await deployment.seed()
  await deployment.provider.stop()
  cpSync(deployment.provider.stateFolder, newFolder, { recursive: true })
  await deployment.close()
  writeFileSync(join(newFolder, 'stamp'), JSON.stringify({ fingerprint, at: Date.now() }))
  replaceFolder(SEEDED_STATE_FOLDER, newFolder)
  rmSync(`${newFolder}.former`, { recursive: true, force: true })
}

function isFresh(expected: string): boolean {
  const stamp = join(SEEDED_STATE_FOLDER, 'stamp')
  if (!existsSync(stamp)) return false
  const { fingerprint, at } = JSON.parse(readFileSync(stamp, 'utf8')) as { fingerprint: string; at: number }
  return fingerprint === expected && Date.now() - at < MAX_AGE_MS
}
