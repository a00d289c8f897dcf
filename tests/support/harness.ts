import { fileURLToPath } from 'node:url'
import { createTestHarness, type TestHarness } from 'wrangler'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The real Workers on ports of their own, with storage that lives as long as the harness. */
export interface Stage {
  readonly env: RunEnvironment
  readonly provider: TestHarness
  /** Null when the stage was opened with the provider alone. */
  readonly portal: TestHarness | null
  /** Creates the demo accounts and homes. */
  seed(): Promise<void>
  close(): Promise<void>
}

type Change = Partial<RunEnvironment> & Record<string, string>

interface Options {
  /** Start the portal's edge Worker too. */
  portal?: boolean
  /** Changes to the environment of both Workers, made when their origins are known. */
  change?: (env: RunEnvironment) => Change | Promise<Change>
}

const configPath = { provider: `${root}provider/wrangler.toml`, portal: `${root}wrangler.toml` }
const options = (worker: keyof typeof configPath, vars: Record<string, string>) => ({
  root,
  workers: [{ configPath: configPath[worker], vars }],
})

/** Origins are known only after a Worker listens, so each starts bare and is then given its environment. */
export async function openStage({ portal = false, change }: Options = {}): Promise<Stage> {
  const provider = createTestHarness(options('provider', {}))
  const edge = portal ? createTestHarness(options('portal', {})) : null
  const providerOrigin = new URL((await provider.listen()).url).origin
  const portalOrigin = edge ? `http://localhost:${(await edge.listen()).url.port}` : 'http://localhost:8787'

  const base = makeEnvironment(makeSecrets(), { portalOrigin, providerOrigin, buildId: 'test' })
  const env: RunEnvironment = { ...base, ...(await change?.(base)) }
  await provider.update(options('provider', { ...env }))
  await edge?.update(options('portal', { ...env }))
  await provider.getWorker().applyD1Migrations('DB')

  return {
    env,
    provider,
    portal: edge,
    async seed() {
      const answer = await fetch(`${providerOrigin}${ADMIN_PATHS.seed}`, {
        method: 'POST',
        headers: { authorization: `Admin ${env.ADMIN_KEY}` },
      })
      if (!answer.ok) throw new Error(`Seeding failed with ${answer.status}: ${await answer.text()}`)
    },
    async close() {
      await edge?.close()
      await provider.close()
    },
  }
}
