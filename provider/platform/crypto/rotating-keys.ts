import type { Env } from '../../env.ts'

/* Of each pair the first key writes; all of them read (docs/decisions/0050). An empty binding is none. */
const keys = (newest: string, old: string | undefined): readonly string[] => [
  newest,
  ...(old ?? '').split(',').filter((key) => key !== ''),
]

/** Keys of the addresses of media and of the edge's reports. */
export const mediaKeys = (env: Env) => keys(env.MEDIA_KEY, env.MEDIA_KEY_OLD)
/** Keys of the cookies of the provider's own pages. */
export const cookieKeys = (env: Env) => keys(env.PROVIDER_COOKIE_KEY, env.PROVIDER_COOKIE_KEY_OLD)
/** Keys of second factors where they rest, and of what their pages carry. */
export const factorKeys = (env: Env) => keys(env.FACTOR_KEY, env.FACTOR_KEY_OLD)
