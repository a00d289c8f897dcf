import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StopError } from './stop.ts'

/** Applies pending migrations to the provider's tables; runs wrangler only if there is a new one. */
export function migrateDatabase(root: string, data: string): void {
  const expected = readdirSync(join(root, 'provider/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .join('\n')
  const stamp = join(data, 'migrated')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return
  const done = spawnSync(
    process.execPath,
    [
      'node_modules/wrangler/bin/wrangler.js',
      'd1',
      'migrations',
      'apply',
      'porchlight',
      '--local',
      '--persist-to',
      join(data, 'state', 'provider'),
      '--config',
      'provider/wrangler.toml',
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: '1' } },
  )
  if (done.status !== 0)
    throw new StopError(`The provider's tables could not be brought up to date:\n${done.stdout}${done.stderr}`)
  writeFileSync(stamp, expected)
}
