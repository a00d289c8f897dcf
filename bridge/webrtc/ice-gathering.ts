import type { RTCPeerConnection } from 'werift'
import type { IceServers } from '../../contract/live/ice-servers.ts'

/** Timeout for ICE gathering: viewers on the same network must not wait for a slow server. */
export const GATHER_MS = 2000

interface Server {
  readonly urls: string
  readonly username?: string
  readonly credential?: string
}

/** TURN servers without a relay candidate, per server list. */
const silent = new WeakMap<IceServers, Set<string>>()
const isOverUdp = ({ urls }: Server) => /^turn:/i.test(urls) && !/\btransport=tcp\b/i.test(urls)

/**
 * Chooses one STUN and one TURN server, because werift supports only one of each. Prefers TURN over UDP to TCP and TLS.
 * A TURN server without a candidate becomes the last choice: a network that blocks UDP may allow TCP or TLS.
 */
export function chooseServers(servers: IceServers): Server[] {
  const all = servers.flatMap(({ urls, username, credential }) =>
    urls.map((url) => ({ urls: url, ...(username && credential && { username, credential }) })),
  )
  const stun = all.find(({ urls }) => /^stun:/i.test(urls))
  const turns = all.filter(({ urls, username }) => /^turns?:/i.test(urls) && username !== undefined)
  const inOrder = [...turns.filter(isOverUdp), ...turns.filter((server) => !isOverUdp(server))]
  const turn = inOrder.find(({ urls }) => !silent.get(servers)?.has(urls)) ?? inOrder[0]
  return [stun, turn].filter((server) => server !== undefined)
}

/** Remembers a TURN server without a relay candidate; once all have failed, clears the list to retry them. */
export function markSilentServer(servers: IceServers, connection: RTCPeerConnection): void {
  const turnServer = connection.getConfiguration().iceServers?.find(({ urls }) => /^turns?:/i.test(String(urls)))
  const candidates = connection.iceTransports.flatMap(({ localCandidates }) => localCandidates)
  if (!turnServer || candidates.some(({ type }) => type === 'relay')) return
  const silentUrls = silent.get(servers) ?? new Set()
  silent.set(servers, silentUrls.add(String(turnServer.urls)))
  const next = chooseServers(servers).find(({ urls }) => /^turns?:/i.test(urls))
  if (next && silentUrls.has(next.urls)) silentUrls.clear()
}

/** Removes werift's default STUN server of a third party: only configured servers may learn about viewers. */
export function disableDefaultStunServer(connection: RTCPeerConnection): void {
  const isConfigured = connection.getConfiguration().iceServers?.some(({ urls }) => /^stun:/i.test(String(urls)))
  if (isConfigured) return
  for (const { connection: ice } of connection.iceTransports) delete ice.stunServer
}

/**
 * Gathers ICE candidates for at most `GATHER_MS`. Closes a transport that finishes gathering when `isOver` already
 * returns true.
 */
export async function gather(connection: RTCPeerConnection, isOver: () => boolean): Promise<void> {
  disableDefaultStunServer(connection)
  const all = Promise.all(
    connection.iceTransports.map(async (transport) => {
      await transport.gather()
      if (isOver()) await transport.connection.close()
    }),
  )
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, GATHER_MS)
  await Promise.race([all.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
