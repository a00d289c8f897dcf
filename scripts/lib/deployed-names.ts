import * as v from 'valibot'
import type { CallCloudflare } from './cloudflare.ts'
import { WORKERS } from './deployment.ts'
import { getDeploymentName, deriveDeploymentNames, type DeploymentNames } from './deployment-names.ts'
import { StopError } from './stop.ts'

const domainList = v.array(v.object({ hostname: v.string(), service: v.string() }))
type WorkerDomain = v.InferOutput<typeof domainList>[number]

interface PlannedDeployment {
  readonly env: Partial<Record<string, string>>
  readonly file: string
}

/**
 * Throws a `StopError` if a Worker of another deployment uses a host or a Worker name of this deployment, or if this
 * deployment exists but its database does not or has another jurisdiction. Without this check, a deployment would move the domain, replace the
 * Worker or create an empty database without confirmation.
 */
export async function requireUnusedNames(callCloudflare: CallCloudflare, planned: PlannedDeployment): Promise<void> {
  const { result, problem } = await callCloudflare('GET', '/workers/domains')
  const parsed = v.safeParse(domainList, result)
  if (problem !== '' || !parsed.success)
    throw new StopError(`Nothing was deployed. The Worker domains in this account can't be read. ${problem}`)
  const names = deriveDeploymentNames(getDeploymentName(planned.env))
  for (const worker of WORKERS) {
    const origin = worker === 'portal' ? planned.env['PORTAL_ORIGIN'] : planned.env['PROVIDER_ORIGIN']
    const workerHost = { worker, service: names.workers[worker], hostname: new URL(origin ?? '').hostname }
    const reason =
      explainTakenHost(parsed.output, workerHost, planned) ??
      explainTakenWorker(parsed.output, workerHost, planned, names)
    if (reason !== null) throw new StopError(`Nothing was deployed. ${reason}`)
  }
  const services: readonly string[] = Object.values(names.workers)
  const isDeployed = parsed.output.some(({ service }) => services.includes(service))
  await requireMatchingDatabase(callCloudflare, planned, { ...names, isDeployed })
}

interface WorkerHost extends WorkerDomain {
  readonly worker: (typeof WORKERS)[number]
}

function explainTakenHost(
  domains: readonly WorkerDomain[],
  { worker, service, hostname }: WorkerHost,
  planned: PlannedDeployment,
): string | null {
  const otherService = domains.find((domain) => domain.hostname === hostname && domain.service !== service)?.service
  if (otherService === undefined) return null
  const suffix = `-${worker}`
  const keep = otherService.endsWith(suffix)
    ? `To keep the existing data, set DEPLOYMENT_NAME=${otherService.slice(0, -suffix.length)} in ${planned.file}. To start with an empty database`
    : 'To use the host for this deployment'
  return `${hostname} is already in use by the Worker ${otherService}. The Worker ${service} would get a new, empty database. ${keep}, remove the domain from the Worker ${otherService} first (Workers & Pages, Settings, Domains & Routes).`
}

function explainTakenWorker(
  domains: readonly WorkerDomain[],
  { service, hostname }: WorkerHost,
  { file }: PlannedDeployment,
  { database }: DeploymentNames,
): string | null {
  const served = domains.filter((domain) => domain.service === service).map((domain) => domain.hostname)
  if (served.length === 0 || served.includes(hostname)) return null
  return `The Worker ${service} already serves ${served.join(', ')}. This deployment would replace that Worker and share its database ${database}. To deploy separately, set a different DEPLOYMENT_NAME in ${file}. If ${hostname} is the Worker's new address, remove the old domain from the Worker first (Workers & Pages, Settings, Domains & Routes).`
}

const databaseDetails = v.object({ jurisdiction: v.nullish(v.string(), '') })

/**
 * Throws a `StopError` if the existing deployment's database is missing, because deploying would create an empty
 * database. Also throws if the database has another jurisdiction, which Cloudflare fixes when it creates a database:
 * all Durable Objects would get new ids, and their data would be lost.
 */
async function requireMatchingDatabase(
  callCloudflare: CallCloudflare,
  { env, file }: PlannedDeployment,
  { database, isDeployed }: DeploymentNames & { readonly isDeployed: boolean },
): Promise<void> {
  const { status, result, problem } = await callCloudflare('GET', `/d1/database/${encodeURIComponent(database)}`)
  if (status === 404 && !isDeployed) return
  if (status === 404)
    throw new StopError(
      `Nothing was deployed. This deployment exists, but the account has no D1 database ${database}. Set DEPLOYMENT_NAME in ${file} to the name of the existing deployment. If the old data is gone for good, create an empty database: npx wrangler d1 create ${database}`,
    )
  const details = v.safeParse(databaseDetails, result)
  if (problem !== '' || !details.success)
    throw new StopError(`Nothing was deployed. The D1 database ${database} can't be read. ${problem}`)
  const [planned, existing] = [env['JURISDICTION'] ?? '', details.output.jurisdiction ?? '']
  if (planned !== existing)
    throw new StopError(
      `Nothing was deployed. JURISDICTION in ${file} selects ${formatJurisdiction(planned)}, but the D1 database ${database} was created with ${formatJurisdiction(existing)}. A deployment can't change its jurisdiction. Restore the setting, or set a different DEPLOYMENT_NAME to start with empty data.`,
    )
}

const formatJurisdiction = (jurisdiction: string): string => (jurisdiction === '' ? 'no jurisdiction' : jurisdiction)
