import { createHash } from 'node:crypto'
import type { WorkerName } from '../../contract/environment.ts'
import { DEFAULT_NAME, deriveDeploymentNames, type DeploymentNames } from './deployment-names.ts'

export interface PreviewNames extends DeploymentNames {
  readonly preview: string
  readonly portalOrigin: string
  readonly providerOrigin: string
}

/** Maximum length of a preview name, and of a host name label such as `PREVIEW-porchlight-provider`. */
const SLUG_MAX = 40
const LABEL_MAX = 63
const HASH_LENGTH = 6

/**
 * Returns the branch name as part of a host name. If this changes the name, adds a part of its hash, because `a/b` and
 * `a-b` must not share data.
 */
export function branchSlug(branch: string, max = SLUG_MAX): string {
  const plain = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (plain === branch && plain.length <= max) return plain
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, HASH_LENGTH)
  const short = plain.slice(0, max - HASH_LENGTH - 1).replace(/-+$/, '')
  return short === '' ? `b-${hash}` : `${short}-${hash}`
}

/** Returns the names of a branch's preview. `name`: the deployment that is previewed. */
export function previewNames(branch: string, subdomain: string, name = DEFAULT_NAME): PreviewNames {
  const { workers, database, bucket } = deriveDeploymentNames(name)
  const preview = branchSlug(branch, Math.min(SLUG_MAX, LABEL_MAX - `-${workers.provider}`.length))
  const origin = (worker: WorkerName) => `https://${preview}-${workers[worker]}.${subdomain}.workers.dev`
  return {
    preview,
    workers,
    database: `${database}-${preview}`,
    bucket: `${bucket}-${preview}`,
    portalOrigin: origin('portal'),
    providerOrigin: origin('provider'),
  }
}
