import { createHash } from 'node:crypto'
import type { WorkerName } from '../../contract/environment.ts'
import { DEFAULT_DEPLOYMENT_NAME, deriveDeploymentNames, type DeploymentNames } from './deployment-names.ts'

export interface PreviewNames extends DeploymentNames {
  readonly preview: string
  readonly portalOrigin: string
  readonly providerOrigin: string
}

/** Maximum length of a preview name, and of a hostname label such as `PREVIEW-porchlight-provider`. */
const SLUG_MAX_LENGTH = 40
const LABEL_MAX_LENGTH = 63
const HASH_LENGTH = 6

/**
 * Converts a branch name to part of a hostname. Adds a hash of the branch if the conversion changes the name, because
 * `a/b` and `a-b` must not share data.
 */
export function formatBranchSlug(branch: string, maxLength = SLUG_MAX_LENGTH): string {
  const slug = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (slug === branch && slug.length <= maxLength) return slug
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, HASH_LENGTH)
  const short = slug.slice(0, maxLength - HASH_LENGTH - 1).replace(/-+$/, '')
  return short === '' ? `b-${hash}` : `${short}-${hash}`
}

/** Returns the names of a branch's preview. `name`: name of the deployment that the preview belongs to. */
export function derivePreviewNames(branch: string, subdomain: string, name = DEFAULT_DEPLOYMENT_NAME): PreviewNames {
  const { workers, database, bucket } = deriveDeploymentNames(name)
  const preview = formatBranchSlug(branch, Math.min(SLUG_MAX_LENGTH, LABEL_MAX_LENGTH - `-${workers.provider}`.length))
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
