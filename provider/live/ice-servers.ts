import * as v from 'valibot'
import { iceServersJson, type IceServers } from '../../contract/live/ice-servers.ts'
import type { Env } from '../env.ts'

/**
 * Parses the STUN and TURN servers in `ICE_SERVERS`, an optional JSON array. Throws if the JSON is malformed. The error
 * does not quote the JSON, because the JSON may contain a password.
 */
export function parseIceServers(env: Env): IceServers {
  if (!env.ICE_SERVERS) return []
  const parsed = v.safeParse(iceServersJson, env.ICE_SERVERS)
  if (parsed.success) return parsed.output
  throw new Error('ICE_SERVERS isn’t a JSON array of { "urls": ["…"], "username"?: "…", "credential"?: "…" }.')
}
