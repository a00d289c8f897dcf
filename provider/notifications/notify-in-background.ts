import { waitUntil } from 'cloudflare:workers'
import type { Env } from '../env.ts'
import { reportTaskFailure } from '../telemetry/error-reporting.ts'

/** Runs `work` after the response. Reports its failure without failing the request. `now` in ms UTC. */
export function inBackground(env: Env, work: () => Promise<unknown>, now: number): void {
  waitUntil(
    work().catch((error: unknown) => {
      console.error(JSON.stringify({ at: 'messages', error: String(error) }))
      reportTaskFailure(env, 'messages', error instanceof Error ? error : new Error(String(error)), now)
    }),
  )
}
