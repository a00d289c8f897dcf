import {
  isFor,
  minValueLength,
  namesWhere,
  listRequiredNames,
  type EnvironmentOf,
  type KeptName,
} from '../contract/environment.ts'

/** Bindings of provider/wrangler.toml (`wrangler types` writes them) and the environment of the run. */
export interface Env extends EnvironmentOf<'provider'>, Readonly<ProviderBindings> {}

export type AppEnv = { Bindings: Env }

/** Returns one sentence that names the missing environment variables; null if the provider can serve. */
export function missingEnvironment(env: Partial<Record<keyof Env, unknown>>): string | null {
  const missing = listRequiredNames('provider').filter((name) => typeof env[name] !== 'string' || env[name] === '')
  if (missing.length === 0) return cutShort(env)
  return `The provider is not configured: ${missing.join(', ')} missing. Start it with the secrets file (--env-file).`
}

/** A truncated key from before the last rotation decrypts nothing, or is easily guessed. */
function cutShort(env: Partial<Record<string, unknown>>): string | null {
  const names = namesWhere<KeptName>((row) => row.kept === true && isFor('provider')(row))
  const isShort = (name: KeptName) =>
    String(env[name] ?? '')
      .split(',')
      .some((key) => key !== '' && key.length < minValueLength(name))
  const short = names.find(isShort)
  return short === undefined ? null : `${short} is cut short. Restore it from a backup, or leave it out.`
}
