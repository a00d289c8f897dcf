import type { Env } from '../../env.ts'

/*
 * Returns a list of keys: the first key signs or encrypts, and every key verifies or decrypts (docs/decisions/0050).
 * `previousKeys`: keys separated by commas.
 */
const toKeyList = (currentKey: string, previousKeys: string | undefined): readonly string[] => [
  currentKey,
  ...(previousKeys ?? '').split(',').filter((key) => key !== ''),
]

/** Returns the keys for signed media URLs, and for error reports, analytics events and visits from the edge. */
export const mediaKeys = (env: Env) => toKeyList(env.MEDIA_KEY, env.MEDIA_KEY_OLD)
export const cookieKeys = (env: Env) => toKeyList(env.PROVIDER_COOKIE_KEY, env.PROVIDER_COOKIE_KEY_OLD)
/**
 * Returns the keys for encrypted second factors, for encrypted tickets of sign-in and passkey pages, and for visitor
 * hashes.
 */
export const factorKeys = (env: Env) => toKeyList(env.FACTOR_KEY, env.FACTOR_KEY_OLD)
