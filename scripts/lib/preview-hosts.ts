import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { WorkerName } from '../../contract/environment.ts'
import { WORKERS } from './deployment.ts'
import { StopError } from './stop.ts'

/** Maximum wait in ms for a preview, because a new hostname needs time to propagate. */
export const HEALTH_TIMEOUT_MS = 120_000
const POLL_INTERVAL_MS = 2000
const REQUEST_TIMEOUT_MS = 10_000

const urlsSchema = v.optional(v.array(v.string()), [])
const previewOutputSchema = v.object({ preview: v.object({ urls: urlsSchema }) })

/**
 * Returns the origins of a preview from the output of `wrangler preview --json`, which prints lines about files first.
 * Throws a `StopError` if the output cannot be parsed.
 */
export function parsePreviewOrigins(output: string): string[] {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), previewOutputSchema),
    output.slice(Math.max(0, output.search(/^\{/m))),
  )
  if (!parsed.success) throw new StopError(`The output of wrangler preview can't be read:\n${output}`)
  return parsed.output.preview.urls.map((url) => new URL(url).origin)
}

/**
 * Throws `StopError` if Cloudflare does not serve the preview under the origin that it was built for. Sign-in, cookies
 * and CSP depend on this origin.
 */
export function requireServedOrigin(worker: WorkerName, expected: string, output: string): void {
  const served = parsePreviewOrigins(output)
  if (served.includes(expected)) return
  const serving = served.length === 0 ? `doesn't serve its ${worker}` : `serves its ${worker} at ${served.join(', ')}`
  throw new StopError(
    `This preview was built for ${expected}, but Cloudflare ${serving}. Set WORKERS_SUBDOMAIN to the NAME in NAME.workers.dev, then try again.`,
  )
}

const healthSchemas = {
  provider: (_build: string) => v.object({ code: v.literal(200) }),
  portal: (build: string) =>
    v.object({ ok: v.literal(true), build: v.literal(build), provider: v.object({ ok: v.literal(true) }) }),
} satisfies Record<WorkerName, (build: string) => v.GenericSchema>

/**
 * Waits until both Workers are healthy and the portal reports this build and a healthy provider. Throws `StopError`
 * after `timeoutMs`.
 */
export async function requireHealthy(
  origins: Readonly<Record<WorkerName, string>>,
  build: string,
  timeoutMs = HEALTH_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (const worker of WORKERS) {
    for (;;) {
      const report = await fetchHealth(origins[worker])
      if (v.is(healthSchemas[worker](build), report)) break
      if (performance.now() > deadline)
        throw new StopError(`The ${worker} at ${origins[worker]}/healthz is unhealthy: ${JSON.stringify(report)}`)
      await sleep(Math.min(POLL_INTERVAL_MS, timeoutMs))
    }
  }
}

async function fetchHealth(origin: string): Promise<unknown> {
  try {
    const response = await fetch(`${origin}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    return await response.json()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
