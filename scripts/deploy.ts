/**
 * `npm run deploy`: deploys both Workers and their stores to Cloudflare from one environment file. docs/operations.md
 * is the guide.
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './lib/build.ts'
import { openCloudflare } from './lib/cloudflare.ts'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { requireUnusedNames } from './lib/deployed-names.ts'
import { getDeploymentName, deriveDeploymentNames } from './lib/deployment-names.ts'
import {
  ENV_EXTENSION,
  findFileProblem,
  findProblems,
  findWarnings,
  WORKERS,
  type Deployment,
} from './lib/deployment.ts'
import { findIssuerProblem } from './lib/issuer-check.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from './lib/secrets.ts'
import { readEnvironment, writePrivateFile } from './lib/secrets-file.ts'
import { canSell, explainNoSales } from './lib/selling.ts'
import { StopError } from './lib/stop.ts'
import { buildWorkers } from './lib/workers.ts'
import { ensureBucket, ensureDatabase, dryRunDeploy, wrangler } from './lib/wrangler.ts'
import { getConfigPath, getSecretsPath, writeDeployment } from './lib/wrangler-config.ts'

const HELP = `npm run deploy -- [options]
  --init PORTAL PROVIDER   create the environment file with new secrets for these two https origins
  --env FILE               environment file (production.env)
  --dry-run                build and check everything without uploading; works offline and without the file`

const EXAMPLE_ORIGINS = { portalOrigin: 'https://cam.example.com', providerOrigin: 'https://cam-id.example.com' }

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const printLine = (line: string) => console.log(line)

async function main(): Promise<void> {
  const { values, positionals } = parseArguments(process.argv.slice(2))
  if (values.help) return printLine(HELP)
  if (values.init) return initEnvironmentFile(values.env, positionals)
  const isRehearsal = values['dry-run'] && !existsSync(values.env)
  if (isRehearsal) printLine(`${values.env} doesn't exist, so this dry run uses made-up secrets and names.`)
  const environment = isRehearsal
    ? createEnvironment(EXAMPLE_ORIGINS.portalOrigin, EXAMPLE_ORIGINS.providerOrigin)
    : loadEnvironment(values.env)
  const problems = findProblems(environment, values.env)
  if (problems.length > 0) throw new StopError(`Nothing was deployed.\n${problems.join('\n')}`)
  for (const warning of findWarnings(environment)) printLine(warning)
  const issuerProblem = values['dry-run'] ? null : await findIssuerProblem(environment)
  if (issuerProblem !== null) printLine(issuerProblem)
  if (!canSell(environment)) printLine(explainNoSales(environment))
  if (!values['dry-run']) await requireUnusedNames(await openCloudflare(root), { env: environment, file: values.env })
  const buildId = buildPages(root, printLine)
  const deployment: Deployment = {
    ...deriveDeploymentNames(getDeploymentName(environment)),
    name: basename(values.env, ENV_EXTENSION),
    databaseId: null,
    env: addDefaults(environment, buildId),
    preview: null,
  }
  await (values['dry-run'] ? dryRunDeployment(deployment) : deploy(deployment, values.env))
}

function parseArguments(args: string[]) {
  return parseCommandArguments(
    {
      args,
      allowPositionals: true,
      options: {
        init: { type: 'boolean', default: false },
        env: { type: 'string', default: 'production.env' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
}

function initEnvironmentFile(file: string, [portalOrigin, providerOrigin]: readonly string[]): void {
  if (existsSync(file))
    throw new StopError(`${file} already exists. New secrets would log everyone out. Nothing was changed.`)
  const unsafe = findFileProblem(file)
  if (unsafe !== null) throw new StopError(unsafe)
  if (portalOrigin === undefined || providerOrigin === undefined)
    throw new StopError('Add both origins: npm run deploy -- --init https://cam.example.com https://cam-id.example.com')
  const wrong = [portalOrigin, providerOrigin].find((origin) => !URL.canParse(origin))
  if (wrong !== undefined)
    throw new StopError(`${wrong} isn't a valid origin. Use an origin such as https://cam.example.com.`)
  const env = createEnvironment(portalOrigin, providerOrigin)
  const problems = findProblems(env, 'the command')
  if (problems.length > 0) throw new StopError(problems.join('\n'))
  writePrivateFile(file, env)
  printLine(`Created ${file}. Keep this file secret, because it gives access to every account. Git ignores it.`)
}

function createEnvironment(portalOrigin: string, providerOrigin: string): Record<string, string> {
  const { BUILD_ID: _build, ...env } = makeEnvironment(makeSecrets(), { portalOrigin, providerOrigin, buildId: '' })
  return { ...env, ENVIRONMENT: 'production' }
}

function loadEnvironment(file: string): Partial<Record<string, string>> {
  if (existsSync(file)) return readEnvironment(file)
  throw new StopError(
    `Nothing was deployed. ${file} doesn't exist. Try --dry-run, or create the file: npm run deploy -- --init https://cam.example.com https://cam-id.example.com`,
  )
}

/**
 * Adds default values, the build id and `DEMO=0`. `environment` has passed `findProblems`, so it lacks no required
 * variable.
 */
function addDefaults(environment: Partial<Record<string, string>>, buildId: string): Deployment['env'] {
  const {
    PORTAL_ORIGIN: portalOrigin = '',
    PROVIDER_ORIGIN: providerOrigin = '',
    DEPLOYMENT_NAME: _name,
    ...rest
  } = environment
  const usual: RunEnvironment = makeEnvironment(makeSecrets(environment), { portalOrigin, providerOrigin, buildId })
  return { ...usual, ...rest, BUILD_ID: buildId, DEMO: '0' } as Deployment['env']
}

async function dryRunDeployment(deployment: Deployment): Promise<void> {
  const folder = await writeDeployment(root, deployment)
  const { JURISDICTION: jurisdiction } = deployment.env
  const place = jurisdiction ? ` in the jurisdiction ${jurisdiction}` : ''
  printLine(
    `Would create the D1 database ${deployment.database} and R2 bucket ${deployment.bucket}${place} if missing, then migrate the database.`,
  )
  for (const worker of WORKERS) {
    const origin = worker === 'portal' ? deployment.env.PORTAL_ORIGIN : deployment.env.PROVIDER_ORIGIN
    const size = dryRunDeploy(root, getConfigPath(folder, worker))
    printLine(`Would deploy the ${worker} to ${origin} as the Worker ${deployment.workers[worker]}: ${size}`)
  }
  printLine('Nothing was uploaded.')
}

/** Deploys the provider first, because new portal code may make calls that only the new provider supports. */
async function deploy(planned: Deployment, file: string): Promise<void> {
  // Builds the Workers here to store their source maps for `npm run errors`; the upload builds identical code again.
  buildWorkers(root, printLine)
  const { JURISDICTION: jurisdiction } = planned.env
  ensureBucket(root, planned.bucket, jurisdiction)
  const deployment = { ...planned, databaseId: ensureDatabase(root, planned.database, jurisdiction) }
  const folder = await writeDeployment(root, deployment)
  const provider = getConfigPath(folder, 'provider')
  wrangler(root, 'd1', 'migrations', 'apply', deployment.database, '--remote', '--config', provider)
  for (const worker of WORKERS) {
    printLine(`Deploying the ${worker}…`)
    const config = getConfigPath(folder, worker)
    wrangler(root, 'deploy', '--config', config, '--secrets-file', getSecretsPath(folder, worker))
  }
  printLine(`Porchlight is live at ${deployment.env.PORTAL_ORIGIN} (build ${deployment.env.BUILD_ID}).`)
  printLine(
    `To create the first account, open the site and enter the setup code. To show the code, run: npm run account -- setup-code --env ${file}`,
  )
}

await runCommand(main)
