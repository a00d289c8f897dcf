import type { D1Database, DurableObjectNamespace, R2Bucket } from '@cloudflare/workers-types'
import type { ProviderSecrets, SharedEnvironment } from '../contract/environment.ts'
import type { Guard } from './guard/guard.ts'
import type { Bridge } from './bridge/bridge.ts'
import type { Camera } from './camera/camera.ts'
import type { Home } from './home/home.ts'

/** Bindings of provider/wrangler.toml and the environment of the run. */
export interface Env extends SharedEnvironment, ProviderSecrets {
  readonly DB: D1Database
  readonly MEDIA: R2Bucket
  readonly HOMES: DurableObjectNamespace<Home>
  readonly CAMERAS: DurableObjectNamespace<Camera>
  readonly GUARDS: DurableObjectNamespace<Guard>
  readonly BRIDGES: DurableObjectNamespace<Bridge>
}

/** What every Hono app and handler of the provider is typed with. */
export type AppEnv = { Bindings: Env }

const REQUIRED = [
  'PORTAL_ORIGIN',
  'PROVIDER_ORIGIN',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'MEDIA_KEY',
  'SIGN_NEW_DEVICE',
  'SIGN_V4_EVENT',
  'SIGN_PLATFORM',
  'SIGN_MEMBERSHIP_V2',
  'SIGN_AI_EVENT_FEEDBACK',
  'SIGN_AI_SUBSCRIPTION',
  'SIGN_EVENT_DA',
  'PROVIDER_JWKS',
  'PROVIDER_COOKIE_KEY',
  'TICKET_KEY',
  'ADMIN_KEY',
] as const satisfies readonly (keyof Env)[]

/** One sentence naming what is missing from the environment, or null when the provider can serve. */
export function missingEnvironment(env: Partial<Record<keyof Env, unknown>>): string | null {
  const missing = REQUIRED.filter((name) => typeof env[name] !== 'string' || env[name] === '')
  if (missing.length === 0) return null
  return `The provider is not configured: ${missing.join(', ')} missing. Start it with the secrets file (--env-file).`
}
