import { spawnSync } from 'node:child_process'
import { StopError } from './stop.ts'

function runWrangler(root: string, args: readonly string[], mayFail: boolean): string | null {
  const result = spawnSync(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', FORCE_COLOR: '0' },
  })
  if (result.status === 0) return result.stdout
  if (mayFail) return null
  throw new StopError(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${result.stdout}${result.stderr}`)
}

/** Runs one wrangler command and returns its output. Throws `StopError` with the output if the command fails. */
export const wrangler = (root: string, ...args: readonly string[]) => runWrangler(root, args, false) ?? ''

/** Options of wrangler that select a jurisdiction; none without one. */
const getJurisdictionOptions = (jurisdiction: string | undefined): string[] =>
  jurisdiction ? ['--jurisdiction', jurisdiction] : []

/**
 * Returns the id of the D1 database with this name. Creates the database in the jurisdiction if it is missing.
 * `requireJurisdiction` checks an existing database.
 */
export function ensureDatabase(root: string, name: string, jurisdiction?: string): string {
  const readInfo = () => runWrangler(root, ['d1', 'info', name, '--json'], true)
  const existing = readInfo()
  if (existing === null) wrangler(root, 'd1', 'create', name, ...getJurisdictionOptions(jurisdiction))
  const { uuid } = JSON.parse(existing ?? readInfo() ?? '{}') as { uuid?: string }
  if (uuid === undefined) throw new StopError(`The D1 database ${name} exists, but wrangler returned no ID for it.`)
  return uuid
}

/** Creates the R2 bucket if the jurisdiction has no bucket with this name. */
export function ensureBucket(root: string, name: string, jurisdiction?: string): void {
  const options = getJurisdictionOptions(jurisdiction)
  if (runWrangler(root, ['r2', 'bucket', 'info', name, ...options], true) === null)
    wrangler(root, 'r2', 'bucket', 'create', name, ...options)
}

/** Builds one Worker without uploading it and returns its size as wrangler prints it. Works offline. */
export function dryRunDeploy(root: string, config: string): string {
  const output = wrangler(root, 'deploy', '--dry-run', '--config', config)
  return /Total Upload: (.+)/.exec(output)?.[1]?.trim() ?? 'size unknown'
}
