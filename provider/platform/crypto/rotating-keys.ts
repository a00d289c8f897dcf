import type { Env } from '../../env.ts'

/*
 * Returns a list of keys. The first key signs, and all keys verify (docs/decisions/0050). An empty binding adds no key.
 */
const toKeyList = (newest: string, old: string | undefined): readonly string[] => [
  newest,
  ...(old ?? '').split(',').filter((key) => key !== ''),
]

/** Returns the keys of signed media URLs and of the error reports of the edge. */
export const mediaKeys = (env: Env) => toKeyList(env.MEDIA_KEY, env.MEDIA_KEY_OLD)
export const cookieKeys = (env: Env) => toKeyList(env.PROVIDER_COOKIE_KEY, env.PROVIDER_COOKIE_KEY_OLD)
/** Returns the keys that encrypt stored second factors, and data in sign-in and passkey pages. */
export const factorKeys = (env: Env) => toKeyList(env.FACTOR_KEY, env.FACTOR_KEY_OLD)
