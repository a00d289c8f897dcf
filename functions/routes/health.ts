import { Hono } from 'hono'
import type { EdgeEnv } from '../lib/edge-context.ts'
import { toReachableUrl } from '../lib/settings.ts'

const PROVIDER_TIMEOUT_MS = 2000

/** `/healthz`: health and build of this Worker, and health and response time (`ms`) of its provider. */
export const healthRoutes = new Hono<EdgeEnv>().get('/', async (c) => {
  const { settings } = c.var
  const begin = Date.now()
  const ok = await isHealthy(toReachableUrl(settings, `${settings.PROVIDER_ORIGIN}/healthz`))
  return c.json({ ok: true, build: settings.BUILD_ID, provider: { ok, ms: Date.now() - begin } })
})

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
