/** `npm run preview`: creates a Worker Preview of this branch, with its own demo accounts and stores. */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './lib/build.ts'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { WORKERS, type Deployment } from './lib/deployment.ts'
import { openCloudflare } from './lib/cloudflare.ts'
import { getDeploymentName, findNameProblem } from './lib/deployment-names.ts'
import { readPreviewOperator, startBridge } from './lib/preview-bridge.ts'
import { requireHealthy, requireServedOrigin } from './lib/preview-hosts.ts'
import { derivePreviewNames, type PreviewNames } from './lib/preview-names.ts'
import { seedDemo } from './lib/provider-admin.ts'
import { removePreview } from './lib/preview-removal.ts'
import { makeEnvironment, makeSecrets } from './lib/secrets.ts'
import { StopError } from './lib/stop.ts'
import { ensureBucket, ensureDatabase, dryRunDeploy, wrangler } from './lib/wrangler.ts'
import { getConfigPath, getDeploymentFolder, getSecretsPath, writeDeployment } from './lib/wrangler-config.ts'
import { HOUR_MS } from '../contract/time-units.ts'

const HELP = `npm run preview -- [options]
  --branch NAME   branch to preview (the current one)
  --bridge        connect a hub with virtual cameras to the preview uploaded from this computer, until Ctrl-C
  --hours N       stop the hub after N hours
  --remove        delete the preview and its data, and print what is left; safe to repeat
  --dry-run       build and print the names without uploading; works offline
Set WORKERS_SUBDOMAIN to your account's workers.dev subdomain. DEPLOYMENT_NAME sets the deployment's name (porchlight).`

/** Maximum for `--hours`. A Node timer cannot wait longer than about 596 hours. */
const MAX_HOURS = 500

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const printLine = (line: string) => console.log(line)

async function main(): Promise<void> {
  const { values } = parseArguments(process.argv.slice(2))
  if (values.help) return printLine(HELP)
  const subdomain = process.env['WORKERS_SUBDOMAIN'] ?? (values['dry-run'] ? 'example' : undefined)
  if (subdomain === undefined)
    throw new StopError(
      "WORKERS_SUBDOMAIN isn't set. Set it to the NAME in NAME.workers.dev (in Cloudflare: Workers & Pages).",
    )
  const name = getDeploymentName(process.env)
  const nameIssue = findNameProblem(name)
  if (nameIssue !== null) throw new StopError(`DEPLOYMENT_NAME ${nameIssue}`)
  const names = derivePreviewNames(values.branch ?? getCurrentBranch(), subdomain, name)
  if (values.remove) return deletePreview(names)
  if (values.bridge) return runBridge(names, parseHours(values.hours))
  const deployment = createDeployment(names, buildPages(root, printLine))
  if (values['dry-run']) await dryRun(deployment, names)
  else await uploadPreview(deployment, names)
}

function parseArguments(args: string[]) {
  return parseCommandArguments(
    {
      args,
      options: {
        branch: { type: 'string' },
        bridge: { type: 'boolean', default: false },
        hours: { type: 'string' },
        remove: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
}

function getCurrentBranch(): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { cwd: root, encoding: 'utf8' })
  if (status !== 0 || stdout.trim() === 'HEAD')
    throw new StopError('No branch is checked out. Specify one with --branch.')
  return stdout.trim()
}

/** Creates new secrets for each upload, so every session of the preview ends. The preview keeps its data. */
function createDeployment({ portalOrigin, providerOrigin, ...names }: PreviewNames, buildId: string): Deployment {
  // A preview has one hostname per Worker, so the provider's host serves the card page unless PAYMENT_ORIGIN is set.
  const paymentOrigin = process.env['PAYMENT_ORIGIN'] ?? providerOrigin
  const origins = { portalOrigin, providerOrigin, paymentOrigin }
  const env = makeEnvironment(makeSecrets(), { ...origins, buildId, isDemo: true, overrides: process.env })
  const demo = { BILLING_GATEWAY: 'embedded' }
  // Previews contain only demo data, so they have no jurisdiction.
  const previewEnv = { ...env, ...demo, JURISDICTION: '' } as Deployment['env']
  return { ...names, name: names.preview, databaseId: null, env: previewEnv }
}

function printNames({ workers, ...names }: PreviewNames): void {
  const all = { ...names, workers: Object.values(workers).join(', ') }
  for (const [label, name] of Object.entries(all)) printLine(`  ${label.padEnd(15)} ${name}`)
}

async function dryRun(deployment: Deployment, names: PreviewNames): Promise<void> {
  printNames(names)
  const folder = await writeDeployment(root, deployment)
  for (const worker of WORKERS)
    printLine(`Would upload the ${worker}: ${dryRunDeploy(root, getConfigPath(folder, worker))}`)
  printLine('Nothing was uploaded.')
}

async function uploadPreview(planned: Deployment, names: PreviewNames): Promise<void> {
  ensureBucket(root, planned.bucket)
  const deployment = { ...planned, databaseId: ensureDatabase(root, planned.database) }
  const folder = await writeDeployment(root, deployment)
  const provider = getConfigPath(folder, 'provider')
  wrangler(root, 'd1', 'migrations', 'apply', deployment.database, '--remote', '--config', provider)
  const origins = { provider: names.providerOrigin, portal: names.portalOrigin }
  for (const worker of WORKERS) {
    const files = ['--config', getConfigPath(folder, worker), '--secrets-file', getSecretsPath(folder, worker)]
    requireServedOrigin(worker, origins[worker], wrangler(root, 'preview', '--name', names.preview, '--json', ...files))
  }
  await requireHealthy(origins, deployment.env.BUILD_ID)
  await seedDemo(deployment.env, (failed) =>
    printLine(`These demo accounts aren't fully set up: ${failed.join(', ')}.`),
  )
  printNames(names)
  printLine(
    'The homes in this preview have no cameras yet. To connect virtual cameras, run: npm run preview -- --bridge',
  )
}

async function runBridge(names: PreviewNames, hours: number | null): Promise<void> {
  const folder = getDeploymentFolder(root, names.preview)
  const operator = readPreviewOperator(getSecretsPath(folder, 'provider'), names.providerOrigin)
  const stop = await startBridge(root, join(folder, 'bridge'), operator, printLine)
  printLine(`Two cameras are connected to ${names.portalOrigin}. Stop them with Ctrl-C.`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    if (hours !== null) setTimeout(resolve, hours * HOUR_MS)
  })
  await stop()
  printLine('The hub has stopped.')
}

function parseHours(text: string | undefined): number | null {
  if (text === undefined) return null
  const hours = Number(text)
  if (hours > 0 && hours <= MAX_HOURS) return hours
  throw new StopError(`--hours ${text} isn't valid. Choose a number up to ${MAX_HOURS}.`)
}

async function deletePreview(names: PreviewNames): Promise<void> {
  printLine(`Deleting the preview ${names.preview}:`)
  const remainingParts = await removePreview(root, names, await openCloudflare(root), printLine)
  if (remainingParts.length > 0)
    throw new StopError(`Not deleted: ${remainingParts.join(', ')}. Run the command again to delete the rest.`)
  printLine(`Deleted the preview ${names.preview} and its data.`)
}

await runCommand(main)
