import { spawnSync } from 'node:child_process'
import { Stop } from './stop.ts'

/** Runs wrangler and returns its output; null if it failed and `mayFail` is set. */
function run(root: string, args: readonly string[], mayFail: boolean): string | null {
  const done = spawnSync(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...args], {
    cwd: root,
    encoding: 'utf8',
    // wrangler does not prompt, because the process has no terminal.
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', FORCE_COLOR: '0' },
  })
  if (done.status === 0) return done.stdout
  if (mayFail) return null
  throw new Stop(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${done.stdout}${done.stderr}`)
}

/** Runs one wrangler command and returns its output. Throws `Stop` with the output if it fails. */
export const wrangler = (root: string, ...args: readonly string[]) => run(root, args, false) ?? ''

/** Returns the id of the D1 database of that name; creates it if missing. */
export function ensureDatabase(root: string, name: string): string {
  const info = () => run(root, ['d1', 'info', name, '--json'], true)
  const existing = info()
  if (existing === null) wrangler(root, 'd1', 'create', name)
  const { uuid } = JSON.parse(existing ?? info() ?? '{}') as { uuid?: string }
  if (uuid === undefined) throw new Stop(`The D1 database ${name} is there, but its id cannot be read.`)
  return uuid
}

export function ensureBucket(root: string, name: string): void {
  if (run(root, ['r2', 'bucket', 'info', name], true) === null) wrangler(root, 'r2', 'bucket', 'create', name)
}

/** Builds one Worker as for an upload and returns its size as wrangler prints it. Works offline. */
export function rehearse(root: string, config: string): string {
  const output = wrangler(root, 'deploy', '--dry-run', '--config', config)
  return /Total Upload: (.+)/.exec(output)?.[1]?.trim() ?? 'size unknown'
}
