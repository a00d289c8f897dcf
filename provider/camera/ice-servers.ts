import * as v from 'valibot'
import type { Stream } from '../../contract/live.ts'
import type { Env } from '../env.ts'

const iceServers = v.array(
  v.object({ urls: v.array(v.string()), username: v.optional(v.string()), credential: v.optional(v.string()) }),
)

/** STUN and TURN servers of the optional binding `ICE_SERVERS`, a JSON array; none without it. Throws when it is malformed. */
export function parseIceServers(env: Env): Stream['ice_servers'] {
  return env.ICE_SERVERS ? v.parse(iceServers, JSON.parse(env.ICE_SERVERS)) : []
}
