import type { RTCPeerConnection } from 'werift'
import type { IceServers } from '../../contract/live/ice-servers.ts'

/** A server that has not answered by then is done without: whoever is on the same network shall not wait for it. */
export const GATHER_MS = 2000

interface Server {
  readonly urls: string
  readonly username?: string
  readonly credential?: string
}

/** TURN servers that have given no address, of those that were told together. */
const silent = new WeakMap<IceServers, Set<string>>()
const isOverUdp = ({ urls }: Server) => /^turn:/i.test(urls) && !/\btransport=tcp\b/i.test(urls)

/**
 * werift takes one STUN and one TURN server: the first ones, TURN over UDP before TCP and TLS. A TURN server that has given no
 * address is the last choice from then on: a network that lets no UDP out may let TCP, or TLS, out.
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

/** Remembers a TURN server that has given no address; when none has, all are tried again. */
export function markSilentServer(servers: IceServers, connection: RTCPeerConnection): void {
  const turnServer = connection.getConfiguration().iceServers?.find(({ urls }) => /^turns?:/i.test(String(urls)))
  const candidates = connection.iceTransports.flatMap(({ localCandidates }) => localCandidates)
  if (!turnServer || candidates.some(({ type }) => type === 'relay')) return
  const silentUrls = silent.get(servers) ?? new Set()
  silent.set(servers, silentUrls.add(String(turnServer.urls)))
  const next = chooseServers(servers).find(({ urls }) => /^turns?:/i.test(urls))
  if (next && silentUrls.has(next.urls)) silentUrls.clear()
}

/** Without a STUN server of its own werift asks one of a third party; only those that are configured shall know of viewers. */
export function disableDefaultStunServer(connection: RTCPeerConnection): void {
  const isConfigured = connection.getConfiguration().iceServers?.some(({ urls }) => /^stun:/i.test(String(urls)))
  if (isConfigured) return
  for (const { connection: ice } of connection.iceTransports) delete ice.stunServer
}

/** Gathers the candidates for a local description, for `GATHER_MS` at most. What comes once it `isOver` is let go of. */
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
