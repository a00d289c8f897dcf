import { createHash } from 'node:crypto'
import type { WorkerName } from '../../contract/environment.ts'

/** Everything of a preview that has a name of its own. */
export interface PreviewNames {
  readonly preview: string
  readonly database: string
  readonly bucket: string
  readonly portalOrigin: string
  readonly providerOrigin: string
}

/** A host name's label has 63 characters; `-porchlight-provider` takes 20 of them. */
const SLUG_MAX = 40
const HASH_LENGTH = 6

/**
 * The branch as part of a host name. Branches that would look the same afterwards (`a/b` and `a-b`) are kept apart by a
 * piece of their hash, so that no two share data.
 */
export function branchSlug(branch: string): string {
  const plain = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (plain === branch && plain.length <= SLUG_MAX) return plain
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, HASH_LENGTH)
  const short = plain.slice(0, SLUG_MAX - HASH_LENGTH - 1).replace(/-+$/, '')
  return short === '' ? `b-${hash}` : `${short}-${hash}`
}

/** The Worker that the previews of portal or provider belong to (wrangler.toml, provider/wrangler.toml). */
export const previewWorker = (worker: WorkerName) => `porchlight-${worker}`

export function previewNames(branch: string, subdomain: string): PreviewNames {
  const preview = branchSlug(branch)
  const origin = (worker: WorkerName) => `https://${preview}-${previewWorker(worker)}.${subdomain}.workers.dev`
  return {
    preview,
    database: `porchlight-${preview}`,
    bucket: `porchlight-media-${preview}`,
    portalOrigin: origin('portal'),
    providerOrigin: origin('provider'),
  }
}
