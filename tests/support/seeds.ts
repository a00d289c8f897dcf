import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintSources, replace } from '../../scripts/lib/build.ts'
import { root, SEEDED } from './ground.ts'
import { openStage } from './harness.ts'

/** Maximum age of the stored copy, because the dates of the demo plans are relative to the time of seeding. */
const MAX_AGE_MS = 30 * 60_000
const SOURCES = ['dist/workers/provider', 'dist/ground/stamp', 'tests/support/quick-accounts.ts']

/** Stores a copy of the provider's seeded storage. Run `layGround` first. */
export async function laySeeds(): Promise<void> {
  const fingerprint = fingerprintSources(root, SOURCES)
  if (isFresh(fingerprint)) return
  const fresh = `${SEEDED}-${process.pid}`
  const stage = await openStage()
  await stage.seed()
  await stage.provider.stop()
  cpSync(stage.provider.state, fresh, { recursive: true })
  await stage.close()
  writeFileSync(join(fresh, 'stamp'), JSON.stringify({ fingerprint, at: Date.now() }))
  replace(SEEDED, fresh)
  rmSync(`${fresh}.former`, { recursive: true, force: true })
}

function isFresh(expected: string): boolean {
  const stamp = join(SEEDED, 'stamp')
  if (!existsSync(stamp)) return false
  const { fingerprint, at } = JSON.parse(readFileSync(stamp, 'utf8')) as { fingerprint: string; at: number }
  return fingerprint === expected && Date.now() - at < MAX_AGE_MS
}
