import { rmSync } from 'node:fs'
import * as v from 'valibot'
import type { WorkerName } from '../../contract/environment.ts'
import type { CallCloudflare, CloudflareResponse } from './cloudflare.ts'
import type { PreviewNames } from './preview-names.ts'
import { StopError } from './stop.ts'
import { getDeploymentFolder } from './wrangler-config.ts'

const PARALLEL_DELETES = 8
/**
 * Maximum attempts to empty and delete the bucket. A retry is needed if an upload that has already started writes
 * another clip.
 */
const MAX_BUCKET_ATTEMPTS = 3

const DELETED = 'deleted'
const ABSENT = "didn't exist"
type RemovalOutcome = typeof DELETED | typeof ABSENT

/**
 * Deletes all resources of a preview. Deletes the previews of both Workers first, so that nothing writes while the
 * stores are deleted. Counts absent resources as deleted and continues after a failure. Returns the names of the
 * resources that remain.
 */
export async function removePreview(
  root: string,
  names: PreviewNames,
  callCloudflare: CallCloudflare,
  printLine: (line: string) => void,
): Promise<string[]> {
  const { preview, workers, database, bucket } = names
  const createWorkerStep = (name: WorkerName) =>
    [
      `preview ${preview} of ${workers[name]}`,
      () => deleteResource(callCloudflare, previewPath(workers[name], preview)),
    ] as const
  const steps: readonly (readonly [string, () => Promise<RemovalOutcome>])[] = [
    createWorkerStep('portal'),
    createWorkerStep('provider'),
    [`D1 database ${database}`, () => deleteDatabase(callCloudflare, database)],
    [`R2 bucket ${bucket}`, () => deleteBucket(callCloudflare, bucket)],
    [`generated files and secrets of ${preview}`, () => deleteFiles(root, preview)],
  ]
  const remaining: string[] = []
  for (const [label, removeResource] of steps) {
    try {
      printLine(`  ${label}: ${await removeResource()}`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      printLine(`  ${label}: not deleted. ${why}`)
      remaining.push(label)
    }
  }
  return remaining
}

const previewPath = (worker: string, preview: string) =>
  `/workers/workers/${worker}/previews/${encodeURIComponent(preview)}`

function toOutcome({ status, problem }: CloudflareResponse): RemovalOutcome {
  if (status === 404) return ABSENT
  if (problem !== '') throw new StopError(problem)
  return DELETED
}

const deleteResource = async (callCloudflare: CallCloudflare, path: string): Promise<RemovalOutcome> =>
  toOutcome(await callCloudflare('DELETE', path))

async function deleteDatabase(callCloudflare: CallCloudflare, name: string): Promise<RemovalOutcome> {
  const response = await callCloudflare('GET', `/d1/database/${encodeURIComponent(name)}`)
  if (toOutcome(response) === ABSENT) return ABSENT
  const { uuid } = v.parse(v.object({ uuid: v.string() }), response.result)
  return deleteResource(callCloudflare, `/d1/database/${uuid}`)
}

async function deleteBucket(callCloudflare: CallCloudflare, name: string): Promise<RemovalOutcome> {
  const path = `/r2/buckets/${encodeURIComponent(name)}`
  for (let attempt = 1; ; attempt++) {
    if ((await emptyBucket(callCloudflare, `${path}/objects`)) === ABSENT) return ABSENT
    const response = await callCloudflare('DELETE', path)
    if (response.status !== 409 || attempt === MAX_BUCKET_ATTEMPTS) return toOutcome(response)
  }
}

/** Deletes the objects of a bucket. Requests the first page of the list again until that page is empty. */
async function emptyBucket(callCloudflare: CallCloudflare, path: string): Promise<RemovalOutcome> {
  for (;;) {
    const page = await callCloudflare('GET', path)
    if (toOutcome(page) === ABSENT) return ABSENT
    const keys = v.parse(v.array(v.object({ key: v.string() })), page.result ?? []).map(({ key }) => key)
    if (keys.length === 0) return DELETED
    for (let at = 0; at < keys.length; at += PARALLEL_DELETES) {
      const some = keys.slice(at, at + PARALLEL_DELETES)
      await Promise.all(
        some.map((key) =>
          deleteResource(callCloudflare, `${path}/${key.split('/').map(encodeURIComponent).join('/')}`),
        ),
      )
    }
  }
}

async function deleteFiles(root: string, name: string): Promise<RemovalOutcome> {
  rmSync(getDeploymentFolder(root, name), { recursive: true, force: true })
  return DELETED
}
