import { rmSync } from 'node:fs'
import * as v from 'valibot'
import type { WorkerName } from '../../contract/environment.ts'
import type { Cloudflare, Reply } from './cloudflare.ts'
import type { PreviewNames } from './preview-names.ts'
import { Stop } from './stop.ts'
import { deploymentFolder } from './wrangler-config.ts'

/** Number of bucket objects deleted in parallel. */
const AT_ONCE = 8
/** Maximum attempts to empty the bucket: an upload that had already started can still write a clip meanwhile. */
const BUCKET_TRIES = 3

const IS_GONE = 'gone'
const WAS_ABSENT = 'was not there'
type Outcome = typeof IS_GONE | typeof WAS_ABSENT

/**
 * Deletes all resources of a preview, the Workers first, so that nothing writes while the stores are deleted. Counts
 * absent resources as deleted and continues after a failure. Returns sentences about the remaining resources.
 */
export async function removePreview(
  root: string,
  names: PreviewNames,
  ask: Cloudflare,
  say: (line: string) => void,
): Promise<string[]> {
  const { preview, workers, database, bucket } = names
  const worker = (name: WorkerName) =>
    [`preview ${preview} of ${workers[name]}`, () => drop(ask, previewPath(workers[name], preview))] as const
  const steps: readonly (readonly [string, () => Promise<Outcome>])[] = [
    worker('portal'),
    worker('provider'),
    [`D1 database ${database}`, () => dropDatabase(ask, database)],
    [`R2 bucket ${bucket}`, () => dropBucket(ask, bucket)],
    [`generated files and secrets of ${preview}`, () => dropFiles(root, preview)],
  ]
  const left: string[] = []
  for (const [label, take] of steps) {
    try {
      say(`  ${label}: ${await take()}`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      say(`  ${label}: still there. ${why}`)
      left.push(label)
    }
  }
  return left
}

const previewPath = (worker: string, preview: string) =>
  `/workers/workers/${worker}/previews/${encodeURIComponent(preview)}`

/** Maps a response to its outcome; throws `Stop` with Cloudflare's error. */
function toOutcome({ status, problem }: Reply): Outcome {
  if (status === 404) return WAS_ABSENT
  if (problem !== '') throw new Stop(problem)
  return IS_GONE
}

const drop = async (ask: Cloudflare, path: string): Promise<Outcome> => toOutcome(await ask('DELETE', path))

async function dropDatabase(ask: Cloudflare, name: string): Promise<Outcome> {
  const reply = await ask('GET', `/d1/database/${encodeURIComponent(name)}`)
  if (toOutcome(reply) === WAS_ABSENT) return WAS_ABSENT
  const { uuid } = v.parse(v.object({ uuid: v.string() }), reply.result)
  return drop(ask, `/d1/database/${uuid}`)
}

async function dropBucket(ask: Cloudflare, name: string): Promise<Outcome> {
  const path = `/r2/buckets/${encodeURIComponent(name)}`
  for (let tries = 1; ; tries++) {
    if ((await empty(ask, `${path}/objects`)) === WAS_ABSENT) return WAS_ABSENT
    const reply = await ask('DELETE', path)
    if (reply.status !== 409 || tries === BUCKET_TRIES) return toOutcome(reply)
  }
}

/** Deletes the objects of a bucket, always requesting the first page again. */
async function empty(ask: Cloudflare, path: string): Promise<Outcome> {
  for (;;) {
    const page = await ask('GET', path)
    if (toOutcome(page) === WAS_ABSENT) return WAS_ABSENT
    const keys = v.parse(v.array(v.object({ key: v.string() })), page.result ?? []).map(({ key }) => key)
    if (keys.length === 0) return IS_GONE
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE)
      await Promise.all(some.map((key) => drop(ask, `${path}/${key.split('/').map(encodeURIComponent).join('/')}`)))
    }
  }
}

async function dropFiles(root: string, name: string): Promise<Outcome> {
  rmSync(deploymentFolder(root, name), { recursive: true, force: true })
  return IS_GONE
}
