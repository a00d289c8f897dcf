/** `npm run preview`: a Worker Preview of this branch, with demo accounts and stores of its own. */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ADMIN_PATHS } from '../contract/admin.ts'
import { buildPages } from './lib/build.ts'
import { WORKERS, type Deployment } from './lib/deployment.ts'
import { callOperator } from './lib/operator.ts'
import { previewNames, type PreviewNames } from './lib/preview-names.ts'
import { makeEnvironment, makeSecrets } from './lib/secrets.ts'
import { Stop } from './lib/stop.ts'
import { ensureBucket, ensureDatabase, rehearse, wrangler } from './lib/wrangler.ts'
import { configPath, secretsPath, writeDeployment } from './lib/wrangler-config.ts'

const HELP = `npm run preview -- [options]
  --branch NAME   branch to preview (the one that is checked out)
  --remove        take the preview and its data away
  --dry-run       build it and print its names, upload nothing; works offline
WORKERS_SUBDOMAIN names the account's subdomain of workers.dev.`

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const say = (line: string) => console.log(line)

async function main(): Promise<void> {
  const { values } = read(process.argv.slice(2))
  if (values.help) return say(HELP)
  const subdomain = process.env['WORKERS_SUBDOMAIN'] ?? (values['dry-run'] ? 'example' : undefined)
  if (subdomain === undefined)
    throw new Stop(
      'WORKERS_SUBDOMAIN is not set. Cloudflare shows it under Workers & Pages, as NAME in NAME.workers.dev.',
    )
  const names = previewNames(values.branch ?? currentBranch(), subdomain)
  if (values.remove) return remove(names)
  const deployment = plan(names, buildPages(root, say))
  if (values['dry-run']) rehearsal(deployment, names)
  else await create(deployment, names)
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        branch: { type: 'string' },
        remove: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new Stop(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  }
}

function currentBranch(): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { cwd: root, encoding: 'utf8' })
  if (status !== 0 || stdout.trim() === 'HEAD') throw new Stop('No branch is checked out. Name one with --branch.')
  return stdout.trim()
}

/** Secrets are made for each upload: a preview keeps its data, but not who was signed in. */
function plan({ preview, database, bucket, portalOrigin, providerOrigin }: PreviewNames, buildId: string): Deployment {
  const env = makeEnvironment(makeSecrets(), { portalOrigin, providerOrigin, buildId, overrides: process.env })
  return { name: preview, preview, database, bucket, databaseId: null, env: { ...env, DEMO: '1' } as Deployment['env'] }
}

function tell(names: PreviewNames): void {
  for (const [what, name] of Object.entries(names)) say(`  ${what.padEnd(15)} ${name}`)
}

function rehearsal(deployment: Deployment, names: PreviewNames): void {
  tell(names)
  const folder = writeDeployment(root, deployment)
  for (const worker of WORKERS) say(`Would upload the ${worker}: ${rehearse(root, configPath(folder, worker))}`)
  say('Nothing was uploaded.')
}

async function create(planned: Deployment, names: PreviewNames): Promise<void> {
  ensureBucket(root, planned.bucket)
  const deployment = { ...planned, databaseId: ensureDatabase(root, planned.database) }
  const folder = writeDeployment(root, deployment)
  const provider = configPath(folder, 'provider')
  wrangler(root, 'd1', 'migrations', 'apply', deployment.database, '--remote', '--config', provider)
  for (const worker of WORKERS) {
    const files = ['--config', configPath(folder, worker), '--secrets-file', secretsPath(folder, worker)]
    wrangler(root, 'preview', '--name', names.preview, ...files)
  }
  await callOperator(deployment.env, 'POST', ADMIN_PATHS.seed)
  tell(names)
}

function remove({ preview, database, bucket }: PreviewNames): void {
  for (const config of ['wrangler.toml', 'provider/wrangler.toml'])
    wrangler(root, 'preview', 'delete', '--name', preview, '--skip-confirmation', '--config', config)
  wrangler(root, 'd1', 'delete', database, '--skip-confirmation')
  wrangler(root, 'r2', 'bucket', 'delete', bucket)
  say(`The preview ${preview} and its data are gone.`)
}

main().catch((error: unknown) => {
  if (!(error instanceof Stop)) throw error
  console.error(error.message)
  process.exit(1)
})
