import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { experimental_readRawConfig } from 'wrangler'
import { RATE_LIMITS, RATE_PERIOD_S } from '../../contract/wire/edge-rate-limits.ts'
import type { WorkerName } from '../../contract/environment.ts'
import { selectSecrets, selectPublicVars, WORKERS, type Deployment } from './deployment.ts'
import { DEFAULT_DEPLOYMENT_NAME, deriveWorkerNames } from './deployment-names.ts'
import { makeSite } from './site.ts'

type RawConfig = ReturnType<typeof experimental_readRawConfig>['rawConfig']

/** Returns the folder of a deployment's generated files, which `writeDeployment` replaces. */
export const getDeploymentFolder = (root: string, name: string) => join(root, '.porchlight/deploy', name)
export const getConfigPath = (folder: string, worker: WorkerName) => join(folder, `${worker}.json`)
export const getSecretsPath = (folder: string, worker: WorkerName) => join(folder, `${worker}.secrets.json`)

/**
 * Replaces the deployment's folder: writes the site, each Worker's configuration, and a file with each Worker's secrets
 * (mode 0600). Returns the folder.
 */
export async function writeDeployment(root: string, deployment: Deployment): Promise<string> {
  const folder = getDeploymentFolder(root, deployment.name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  makeSite(join(root, 'dist/client'), join(folder, 'site'), deployment.env)
  for (const worker of WORKERS) {
    const raw = await readConfig(join(root, worker === 'provider' ? 'provider/wrangler.toml' : 'wrangler.toml'))
    const config =
      worker === 'provider'
        ? createProviderConfig(root, raw, deployment)
        : createPortalConfig(root, raw, folder, deployment)
    writeFileSync(getConfigPath(folder, worker), JSON.stringify(config, null, 2))
    writeFileSync(getSecretsPath(folder, worker), JSON.stringify(selectSecrets(deployment, worker)), { mode: 0o600 })
  }
  return folder
}

/** Imports wrangler only when needed, because loading wrangler takes more than a second. */
async function readConfig(config: string): Promise<RawConfig> {
  const wrangler = await import('wrangler')
  return wrangler.experimental_readRawConfig({ config }).rawConfig
}

function createProviderConfig(root: string, raw: RawConfig, deployment: Deployment): RawConfig {
  const { database, databaseId, bucket } = deployment
  const stores = {
    d1_databases: (raw.d1_databases ?? []).map((binding: object) => ({
      ...binding,
      database_name: database,
      ...(databaseId !== null && { database_id: databaseId }),
      migrations_dir: join(root, 'provider/migrations'),
    })),
    r2_buckets: (raw.r2_buckets ?? []).map((binding: object) => ({
      ...binding,
      bucket_name: bucket,
      ...(deployment.env['JURISDICTION'] && { jurisdiction: deployment.env['JURISDICTION'] }),
    })),
  }
  // This entry module also serves the card page. It selects the card page by hostname, or by path in a preview that
  // serves the card page on the provider's host.
  const main = join(root, 'provider/index.ts')
  return addDeploymentSettings(
    { ...raw, ...stores, name: deployment.workers.provider, main },
    deployment,
    deployment.env.PROVIDER_ORIGIN,
  )
}

function createPortalConfig(root: string, raw: RawConfig, folder: string, deployment: Deployment): RawConfig {
  return addDeploymentSettings(
    {
      ...raw,
      name: deployment.workers.portal,
      main: join(root, 'functions/index.ts'),
      // The provider may be a Worker of the same account. This flag sends requests to the provider over the public
      // route.
      compatibility_flags: [...(raw.compatibility_flags ?? []), 'global_fetch_strictly_public'],
      assets: { ...raw.assets, directory: join(folder, 'site') },
      ratelimits: createRateLimits(deployment),
    },
    deployment,
    deployment.env.PORTAL_ORIGIN,
  )
}

/** Only deployments bind rate limits: local wrangler writes these counters to disk on each request. */
function createRateLimits(deployment: Deployment): NonNullable<RawConfig['ratelimits']> {
  const firstId = getFirstNamespaceId(deployment)
  return Object.entries(RATE_LIMITS).map(([name, limit], at) => ({
    name,
    namespace_id: String(firstId + at),
    simple: { limit, period: RATE_PERIOD_S },
  }))
}

/**
 * Returns the deployment's first namespace id. Equal ids share their rate limit counters within a Cloudflare account,
 * so each deployment and preview gets its own ids.
 */
function getFirstNamespaceId({ workers, preview }: Deployment): number {
  if (preview === null && workers.portal === deriveWorkerNames(DEFAULT_DEPLOYMENT_NAME).portal) return 1001
  const hash = createHash('sha256')
    .update(`${workers.portal} ${preview ?? ''}`)
    .digest()
  return 10_000 + (hash.readUInt32BE() % 10_000_000) * 10
}

/**
 * The preview block of a configuration inherits nothing from the top level, so this function repeats all bindings in
 * it.
 */
function addDeploymentSettings(config: RawConfig, deployment: Deployment, origin: string): RawConfig {
  const vars = selectPublicVars(deployment)
  const observability = { enabled: true }
  if (deployment.preview === null) {
    const routes = [{ pattern: new URL(origin).hostname, custom_domain: true }]
    return { ...config, vars, observability, routes, workers_dev: false, preview_urls: false }
  }
  const { d1_databases, r2_buckets, durable_objects, ratelimits } = config
  const bindings = Object.fromEntries(
    Object.entries({ d1_databases, r2_buckets, durable_objects, ratelimits }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  return { ...config, vars, observability, workers_dev: true, previews: { vars, observability, ...bindings } }
}
