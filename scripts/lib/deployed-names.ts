import * as v from 'valibot'
import type { Cloudflare } from './cloudflare.ts'
import { WORKERS } from './deployment.ts'
import { deploymentName, deriveDeploymentNames, type DeploymentNames } from './deployment-names.ts'
import { Stop } from './stop.ts'

const domainList = v.array(v.object({ hostname: v.string(), service: v.string() }))
type Domain = v.InferOutput<typeof domainList>[number]

/** Deployment that is about to start; `file` is its environment file. */
interface Planned {
  readonly env: Partial<Record<string, string>>
  readonly file: string
}

/**
 * Throws a `Stop` if a deployment would replace the Workers of another one or abandon the database of an existing one:
 * wrangler moves custom domains and replaces Workers without confirmation.
 */
export async function requireOwnNames(ask: Cloudflare, planned: Planned): Promise<void> {
  const { result, problem } = await ask('GET', '/workers/domains')
  const read = v.safeParse(domainList, result)
  if (problem !== '' || !read.success)
    throw new Stop(`Nothing was deployed. The domains of the Workers in this account cannot be read. ${problem}`)
  const names = deriveDeploymentNames(deploymentName(planned.env))
  for (const worker of WORKERS) {
    const origin = worker === 'portal' ? planned.env['PORTAL_ORIGIN'] : planned.env['PROVIDER_ORIGIN']
    const place = { worker, service: names.workers[worker], hostname: new URL(origin ?? '').hostname }
    const reason = takenHost(read.output, place, planned) ?? takenWorker(read.output, place, planned, names)
    if (reason !== null) throw new Stop(`Nothing was deployed. ${reason}`)
  }
  const services: readonly string[] = Object.values(names.workers)
  if (read.output.some(({ service }) => services.includes(service))) await requireDatabase(ask, planned, names)
}

interface Place extends Domain {
  readonly worker: (typeof WORKERS)[number]
}

/** Returns the reason why a Worker's host cannot move to this deployment; null if it can. */
function takenHost(domains: readonly Domain[], { worker, service, hostname }: Place, planned: Planned): string | null {
  const other = domains.find((domain) => domain.hostname === hostname && domain.service !== service)?.service
  if (other === undefined) return null
  const suffix = `-${worker}`
  const keep = other.endsWith(suffix)
    ? `To keep its data, set DEPLOYMENT_NAME=${other.slice(0, -suffix.length)} in ${planned.file}. To start empty`
    : 'To use the host here'
  return `${hostname} belongs to the Worker ${other}; as ${service} it would get a new, empty database. ${keep}, remove the domain from the Worker ${other} first (Workers & Pages, Settings, Domains & Routes).`
}

/** Returns the reason why this deployment cannot replace a Worker; null if it can. */
function takenWorker(
  domains: readonly Domain[],
  { service, hostname }: Place,
  { file }: Planned,
  { database }: DeploymentNames,
): string | null {
  const served = domains.filter((domain) => domain.service === service).map((domain) => domain.hostname)
  if (served.length === 0 || served.includes(hostname)) return null
  return `The Worker ${service} serves ${served.join(', ')} already; this deployment would replace it and share its database ${database}. For a deployment beside it, set a DEPLOYMENT_NAME of its own in ${file}. If this is its new address, remove the old domain from the Worker first (Workers & Pages, Settings, Domains & Routes).`
}

/** Throws a `Stop` if an existing deployment has no database, because the deployment would get an empty database. */
async function requireDatabase(ask: Cloudflare, { file }: Planned, { database }: DeploymentNames): Promise<void> {
  const { status, problem } = await ask('GET', `/d1/database/${encodeURIComponent(database)}`)
  if (status === 404)
    throw new Stop(
      `Nothing was deployed. This deployment exists, but the account has no D1 database ${database}. Set DEPLOYMENT_NAME in ${file} to the name it was deployed with. If its data is lost for good, make an empty database: npx wrangler d1 create ${database}`,
    )
  if (problem !== '') throw new Stop(`Nothing was deployed. The D1 database ${database} cannot be read. ${problem}`)
}
