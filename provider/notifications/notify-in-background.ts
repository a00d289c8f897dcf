import { waitUntil } from 'cloudflare:workers'
import type { Env } from '../env.ts'
import { reportTaskFailure } from '../telemetry/error-reporting.ts'

/** Runs `work` in the background. Reports its failure without failing the request. `now`: ms UTC. */
export function runInBackground(env: Env, work: () => Promise<unknown>, now: number): void {
  waitUntil(
    work().catch((error: unknown) => {
      console.error(JSON.stringify({ at: 'messages', error: String(error) }))
      reportTaskFailure(env, 'messages', error instanceof Error ? error : new Error(String(error)), now)
    }),
  )
}
