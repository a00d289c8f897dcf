import type { D1Database, DurableObjectNamespace, R2Bucket } from '@cloudflare/workers-types'
import { requiredOf, type EnvironmentOf } from '../contract/environment.ts'
import type { Guard } from './guard/guard.ts'
import type { Bridge } from './bridge/bridge.ts'
import type { Camera } from './camera/camera.ts'
import type { Home } from './home/home.ts'

/** Bindings of provider/wrangler.toml and the environment of the run. */
export interface Env extends EnvironmentOf<'provider'> {
  readonly DB: D1Database
  readonly MEDIA: R2Bucket
  readonly HOMES: DurableObjectNamespace<Home>
  readonly CAMERAS: DurableObjectNamespace<Camera>
  readonly GUARDS: DurableObjectNamespace<Guard>
  readonly BRIDGES: DurableObjectNamespace<Bridge>
}

/** What every Hono app and handler of the provider is typed with. */
export type AppEnv = { Bindings: Env }

/** One sentence naming what is missing from the environment, or null when the provider can serve. */
export function missingEnvironment(env: Partial<Record<keyof Env, unknown>>): string | null {
  const missing = requiredOf('provider').filter((name) => typeof env[name] !== 'string' || env[name] === '')
  if (missing.length === 0) return null
  return `The provider is not configured: ${missing.join(', ')} missing. Start it with the secrets file (--env-file).`
}
